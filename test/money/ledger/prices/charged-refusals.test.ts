import { people } from '../../../../src/extensions/sandbox/data/people';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { askPriced } from '../../../support/requests/money';
import { priceList } from '../../../support/sandbox/price-file';
import { engineRig } from '../../../support/stores/engines';

const everyEnd = ['FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED', 'RATE_LIMITED'] as const;
const refusals = {
  MISSING_PERMISSION: { status: 403, json: { success: false, message: 'no' } },
  RATE_LIMITED: { status: 429, json: { success: false, message: 'no' } },
} as const;
const query = 'query ($nss: NSS!) { person(nss: $nss) { answer: credit { outcome problems { code retryable } } } }';
const [nss = ''] = NSS;

describe('a refusal that the service charges', () => {
  const rig = engineRig('postgres');
  const start = async (settings: Readonly<Record<string, string>>): Promise<ProxiedPadron> => {
    const { environment } = await rig.settings();
    const padron = await runPadronBehindProxy({ ...environment, ...settings });
    rig.atEnd(() => padron.stop());
    return padron;
  };

  it.each(['MISSING_PERMISSION', 'RATE_LIMITED'] as const)(
    'pauses a batch before its other rows pay for it, too: %s',
    async (code) => {
      const padron = await start(priceList({ findCredit: { charged: everyEnd } }));
      const client = new BatchClient(padron);
      await client.verifyToken();
      padron.proxy.reset();
      const before = padron.proxy.requests.length;
      padron.proxy.standIn(() => refusals[code]);
      const rows = people.slice(0, 150).map((person) => ({ nss: person.nss }));
      const { id, state, reason } = await client.run((await client.ready(CREDIT, rows)).id, 150);
      expect([state, reason.code]).toEqual(['PAUSED', code]);
      await waitUntil(async () => (await client.get(id)).progress.running === 0);
      const { progress } = await client.get(id);
      const calls = padron.proxy.requests.length - before;
      expect(progress).toMatchObject({ spentUnits: calls, failed: calls });
      // Only the calls that were under way at the same time.
      expect(calls).toBeLessThan(150);
    },
  );

  it('is shown again for a minute after an early response, and not paid again', async () => {
    const padron = await start({ ...priceList({ findCredit: { charged: everyEnd } }), REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito', refusals.MISSING_PERMISSION);
    const early = await askPriced(padron, { query, variables: { nss } }, { 'x-answer-within': '300ms' });
    expect(early.units).toMatchObject({ spent: 0, uncertain: 1 });
    held.release();
    // Longer than a free failure is shown.
    for (const ms of [500, 3_000]) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      const { data, units } = await askPriced(padron, { query, variables: { nss } });
      expect([data.person.answer.outcome, units?.spent]).toEqual(['NOT_PERMITTED', 0]);
    }
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it('is not called retryable, because a client would pay for it again', async () => {
    const padron = await start(priceList({ findCredit: { charged: everyEnd } }));
    padron.proxy.standIn(() => refusals.RATE_LIMITED);
    const { data } = await padron.ask(query, { nss });
    expect(data.person.answer.problems).toEqual([{ code: 'RATE_LIMITED', retryable: false }]);
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it('and the limit of a row are told apart by the price of the list', async () => {
    const cheap = { ...priceList({ downloadProfessionalStatus: { units: 1 } }), MAX_UNITS: '1' };
    const padron = await start({ ...cheap, BATCH_ENDPOINTS: 'any' });
    const client = new BatchClient(padron);
    const rows = people.filter(({ licences }) => licences.length > 0).slice(0, 12);
    const operation = 'query S($curp: CURP!) { person(curp: $curp) { professionalStatus { outcome } } }';
    const { id } = await client.ready(
      operation,
      rows.map(({ curp }) => ({ curp })),
    );
    const { state, reason, progress } = await client.run(id, 4);
    expect([state, reason.code]).toEqual(['PAUSED', 'UNIT_BUDGET_EXCEEDED']);
    expect(progress).toMatchObject({ failed: 0, spentUnits: 4 });
  });
});
