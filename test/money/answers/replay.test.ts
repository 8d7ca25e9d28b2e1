import { byBase64, credentialOf, TODAY, VERIFY } from '../../support/keys/signatures';
import { OPINION, ofEmployer, payer, SUBJECT } from '../../support/operations/employer-graph';
import { runPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';
import { askPriced } from '../../support/requests/money';

describe('the window of replays', () => {
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
