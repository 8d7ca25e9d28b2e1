import { OTHER_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { signedBySecret } from '../../support/keys/identity-provider';
import { withPadron } from '../../support/padrons/with-padron';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const { nss } = findOrThrow(people, ({ credit, licences }) => Boolean(credit) && licences.length > 0);

describe('the metrics of questions that padron rejects', () => {
  it('count questions of callers without the permission', () =>
    withPadron({ environment: { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET } }, async (padron) => {
      const headers = { authorization: `Bearer ${signedBySecret(SECRET, {})}` };
      await padron.ask(`{ person(nss: "${nss}") { credit { outcome } } }`, {}, headers);
      const metrics = await scrapeMetrics(padron);
      expect(metrics.of('padron_questions_refused_total', { outcome: 'NOT_PERMITTED' })).toBe(1);
      expect(metrics.of('padron_registry_answers_total')).toBe(0);
      expect(JSON.parse(padron.log.at(-1) ?? '')).toMatchObject({ outcomes: { NOT_PERMITTED: 1 }, units: 0 });
    }));
});
