import { OTHER_TOKEN, SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { runPadron } from '../../support/padrons/padron';

const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
const query = `{ person(nss: "${nss}") { credit { outcome problems { code message } evidence { billing units } } } }`;

describe('a token held by the server (REGISTRY_TOKEN)', () => {
  it.each([[`Bearer ${SANDBOX_TOKEN}`], [`Bearer ${UNPERMITTED_TOKEN}`], ['']])(
    "pays for calls, and the caller's own token is not sent to the service: %s",
    async (authorization) => {
      const padron = await runPadron({ environment: { REGISTRY_TOKEN: OTHER_TOKEN } });
      const { data, errors } = await padron.ask(query, {}, { authorization });
      const accounts = padron.callsInFull().map(({ account }) => account);
      const spent = [padron.spent(SANDBOX_TOKEN), padron.spent(OTHER_TOKEN)];
      await padron.stop();
      expect(errors).toBeUndefined();
      expect(data.person.credit.outcome).toBe('FOUND');
      expect({ accounts, spent }).toEqual({ accounts: [OTHER_TOKEN], spent: [0, 1] });
      expect(padron.log.join('')).not.toContain(OTHER_TOKEN);
    },
  );

  it('leads to an outcome, not to an error, if the service rejects it, because only the operator can renew it', async () => {
    const padron = await runPadron({ environment: { REGISTRY_TOKEN: 'revoked-token' } });
    const { data, errors } = await padron.ask(query);
    await padron.stop();
    expect(errors).toBeUndefined();
    expect(data.person.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'TOKEN_REFUSED', message: expect.stringContaining('operator') }],
      evidence: { billing: 'NOT_CHARGED', units: 0 },
    });
  });

  it.each([['Basic eDp5'], ['Bearer'], ['Bearer two words'], ['']])(
    'is not set: a caller must send a well-formed token, not «%s»',
    async (authorization) => {
      const padron = await runPadron();
      const { data, errors } = await padron.ask(query, {}, { authorization });
      const calls = padron.calls();
      await padron.stop();
      expect(data).toEqual({ person: { credit: null } });
      expect(errors).toMatchObject([{ path: ['person', 'credit'], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(calls).toEqual([]);
    },
  );
});
