import { OTHER_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { figuresOf } from '../../support/figures';
import { found } from '../../support/found';
import { signedBySecret } from '../../support/identity-provider';
import { withPadron } from '../../support/with-padron';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const { nss } = found(people, ({ credit, licences }) => Boolean(credit) && licences.length > 0);

describe('the figures of questions that padron itself turns away', () => {
  it('count those of callers without the permission', () =>
    withPadron({ environment: { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET } }, async (padron) => {
      const headers = { authorization: `Bearer ${signedBySecret(SECRET, {})}` };
      await padron.ask(`{ person(nss: "${nss}") { credit { outcome } } }`, {}, headers);
      const figures = await figuresOf(padron);
      expect(figures.of('padron_questions_refused_total', { outcome: 'NOT_PERMITTED' })).toBe(1);
      expect(figures.of('padron_registry_answers_total')).toBe(0);
      expect(JSON.parse(padron.log.at(-1) ?? '')).toMatchObject({ outcomes: { NOT_PERMITTED: 1 }, units: 0 });
    }));
});
