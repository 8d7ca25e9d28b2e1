import { setTimeout as sleep } from 'node:timers/promises';
import { byBase64, credentialOf, TODAY, VERIFY } from '../../support/keys/signatures';
import { OPINION, ofEmployer, payer, SUBJECT } from '../../support/operations/employer-graph';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import { somebody } from '../../support/operations/people-fields';
import { runPadron } from '../../support/padrons/padron';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { withPadron } from '../../support/padrons/with-padron';
import { askConcurrently } from '../../support/proxies/held-responses';
import { askPriced, type PricedAnswer } from '../../support/requests/money';

const creditQuery = 'query ($nss: NSS) { person(nss: $nss) { credit { evidence { servedFrom } } } }';
const profileQuery =
  'query ($nss: NSS) { person(nss: $nss) { credit { evidence { servedFrom } } housingAccount { outcome } } }';
const { nss } = somebody;
const servedFrom = ({ data }: PricedAnswer): string => data.person.credit.evidence.servedFrom;

it('calls again after the window', async () => {
  await withPadron({ environment: { REPLAY_SECONDS: '2' } }, async (padron) => {
    const ask = async () => servedFrom(await askPriced(padron, { query: creditQuery, variables: { nss } }));
    const within = [await ask(), await ask()];
    await sleep(2_100);
    expect([...within, await ask()]).toEqual(['LIVE', 'REPLAY', 'LIVE']);
    expect(padron.calls()).toEqual([CREDIT, CREDIT]);
  });
});

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
