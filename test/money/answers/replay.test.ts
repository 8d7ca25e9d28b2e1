import { people } from '../../../src/extensions/sandbox/data/people';
import { byBase64, credentialOf, TODAY, VERIFY } from '../../support/keys/signatures';
import { OPINION, ofEmployer, payer, SUBJECT } from '../../support/operations/employer-graph';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import { somebody } from '../../support/operations/people-fields';
import { runPadron } from '../../support/padrons/padron';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';
import { askConcurrently } from '../../support/proxies/held-responses';
import { askPriced, type PricedAnswer } from '../../support/requests/money';
import { card } from '../../support/sandbox/cards';
import { unusedNss } from '../../support/sandbox/identifiers';

describe('replays', () => {
  const credit =
    'credit { outcome record { nss names } problems { code } evidence { validationCode checkedAt servedFrom units billing } }';
  const creditQuery = `query ($nss: NSS) { person(nss: $nss) { ${credit} } }`;

  const padron = proxiedPadronForTests({ REPLAY_SECONDS: '30' });

  /** Returns a person about whom no other test has asked. */
  const strangers = people.values();
  function stranger(): string {
    for (const { nss, account, credit } of strangers) if (account !== null && credit) return nss;
    throw new Error('The sandbox has run out of people.');
  }

  const ask = (query: string, nss: string, headers: Readonly<Record<string, string>> = {}) =>
    askPriced(padron, { query, variables: { nss } }, headers);
  const creditIn = ({ data }: PricedAnswer) => data.person.credit;

  /** The evidence of an answer for requests that did not pay for it. */
  const replayOf = (lookup: { readonly evidence: object }) => ({
    ...lookup,
    evidence: { ...lookup.evidence, servedFrom: 'REPLAY', units: 0, billing: 'NOT_CHARGED' },
  });

  describe('the same question again within the window', () => {
    it.each([
      ['found', () => stranger(), 'FOUND'],
      ['not held by the registry', () => unusedNss, 'NOT_FOUND'],
    ])('is answered without a call: %s', async (_case, nssOf, outcome) => {
      const nss = nssOf();
      const first = creditIn(await ask(creditQuery, nss));
      const again = await ask(creditQuery, nss);
      expect(first.outcome).toBe(outcome);
      expect(creditIn(again)).toEqual(replayOf(first));
      expect(padron.calls()).toEqual([CREDIT]);
      expect(again.units).toEqual({
        spent: 0,
        uncertain: 0,
        saved: 1,
        calls: [
          {
            path: ['person', 'credit'],
            endpoint: CREDIT,
            outcome,
            units: 0,
            uncertain: 0,
            servedFrom: 'REPLAY',
            at: expect.any(Number),
            ms: expect.any(Number),
          },
        ],
      });
      expect(again.unitsSpent).toBe('0');
    });

    it('causes a new call after an answer about another person', async () => {
      const nss = card('somebody-else', 'nss');
      for (const answer of [await ask(creditQuery, nss), await ask(creditQuery, nss)]) {
        expect(creditIn(answer)).toMatchObject({
          outcome: 'FOUND',
          problems: [{ code: 'ANSWER_MISMATCH' }],
          evidence: { servedFrom: 'LIVE', units: 1 },
        });
      }
      expect(padron.calls()).toEqual([CREDIT, CREDIT]);
    });
  });
});

describe('the window of replays', () => {
  const creditQuery = 'query ($nss: NSS) { person(nss: $nss) { credit { evidence { servedFrom } } } }';
  const profileQuery =
    'query ($nss: NSS) { person(nss: $nss) { credit { evidence { servedFrom } } housingAccount { outcome } } }';
  const { nss } = somebody;
  const servedFrom = ({ data }: PricedAnswer): string => data.person.credit.evidence.servedFrom;

  it('shares only calls in progress if REPLAY_SECONDS is 0', async () => {
    const padron = await runPadronBehindProxy({ REPLAY_SECONDS: '0' });
    const shared = await askConcurrently(padron, nss, creditQuery, profileQuery);
    const later = await askPriced(padron, { query: creditQuery, variables: { nss } });
    const calls = padron.calls();
    await padron.stop();
    expect([...shared, later].map(servedFrom)).toEqual(['LIVE', 'REPLAY', 'LIVE']);
    expect(calls).toEqual([CREDIT, ACCOUNT, CREDIT]);
  });

  it('verifies a signature on each request', async () => {
    await withPadron({ environment: { REPLAY_SECONDS: '30' }, now: () => TODAY }, async (padron) => {
      for (let time = 0; time < 2; time += 1) {
        const { data } = await byBase64(padron, credentialOf('person'));
        expect(data.verifySignature).toMatchObject({ valid: true, evidence: { servedFrom: 'LIVE', units: 1 } });
      }
      expect(padron.calls()).toEqual([VERIFY, VERIFY]);
    });
  });

  it('does not reuse an opinion after its day has ended in Mexico City, even within the window', async () => {
    // The last minute of a day there, six hours behind UTC.
    const lastMinute = '2026-11-21T05:59:00.000Z';
    let now = new Date(lastMinute);
    const query = ofEmployer(
      `complianceOpinion(rfc: "${payer.rfc}") { outcome validUntil evidence { servedFrom units checkedAt } }`,
    );
    const padron = await runPadron({ environment: { REPLAY_SECONDS: '30' }, now: () => now });
    const ask = async () => {
      const { data } = await askPriced(padron, { query, variables: { registration: payer.registration } });
      return { ...data.employer.complianceOpinion, calls: padron.calls() };
    };
    const first = await ask();
    now = new Date('2026-11-21T05:59:59.999Z');
    const sameDay = await ask();
    now = new Date('2026-11-21T06:00:00.000Z');
    const nextDay = await ask();
    await padron.stop();
    expect(first).toEqual({
      outcome: 'FOUND',
      validUntil: '2026-11-21T05:59:59.000Z',
      evidence: { servedFrom: 'LIVE', units: 1, checkedAt: lastMinute },
      calls: [SUBJECT, OPINION],
    });
    expect(sameDay).toMatchObject({ evidence: { servedFrom: 'REPLAY', checkedAt: lastMinute }, calls: [] });
    // The obligated subject is valid for longer, so its answer is still reused.
    expect(nextDay).toMatchObject({
      validUntil: '2026-11-22T05:59:59.000Z',
      evidence: { servedFrom: 'LIVE', units: 1 },
      calls: [OPINION],
    });
  });
});
