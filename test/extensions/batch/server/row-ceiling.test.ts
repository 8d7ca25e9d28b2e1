import { payer } from '../../../support/operations/employer-graph';
import type { RunningPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { withPadron } from '../../../support/padrons/with-padron';
import type { Tamper } from '../../../support/proxies/tampering-proxy';
import { BatchClient, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

/** Two calls per person, one unit each. The second call needs the name from the first one. */
const PROFILE = `query Profile($nss: NSS!, $all: Boolean = true) { person(nss: $nss) { credit { outcome } licences @include(if: $all) { outcome problems { code } } } }`;
const rows = [{ nss: NSS[0], all: false }, { nss: NSS[1] }, { nss: NSS[2] }];
/** The number of files depends on a list of unknown length. The estimate assumes two receipts: 3 units. */
const FILES = `query Files($registration: EmployerRegistration!) { employer(registration: $registration) {
  receipts(period: "2025-01") { outcome records { files { outcome problems { code } } } } } }`;

interface Receipts {
  readonly comprobantes: readonly object[];
}

/** Returns a month with fifteen receipts, and files for any folio. */
const fifteenReceipts: Tamper = ({ json }, { path }) => {
  if (path.includes('/buscar-credito')) return null;
  if (!path.endsWith('/comprobantes-fiscales'))
    return { status: 200, json: { ok: true, files: { pdf: null, xml: null } } };
  const { comprobantes, ...rest } = json as Receipts;
  const receipts = Array.from({ length: 15 }, (_, index) => ({ ...comprobantes[0], folio_sua: String(500 + index) }));
  return { json: { ...rest, comprobantes: receipts } };
};

const charged = (padron: RunningPadron) => padron.callsInFull().filter(({ units }) => units > 0);

describe.each(engines)('the ceiling of a row, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const start = (id: string, what = 'start') => `${what}RegistryBatch(id: "${id}", maxUnits: 1000)`;

  it('is taken from the request that starts, resumes or retries the batch', async () => {
    await withPadron({ environment: (await rig.settings()).environment }, async (padron) => {
      const low = new BatchClient(padron, undefined, { 'x-max-units': '1' });
      const high = new BatchClient(padron, undefined, { 'x-max-units': '2' });
      const { id } = await low.ready(PROFILE, rows);
      expect((await low.change(start(id))).problems).toMatchObject([{ code: 'UNIT_BUDGET_EXCEEDED' }]);
      expect((await high.change(`startRegistryBatch(id: "${id}", maxUnits: 1)`)).problems).toEqual([]);
      expect(await high.until(id, 'PAUSED', 'DONE')).toMatchObject({ reason: { code: 'UNIT_BUDGET_EXCEEDED' } });
      expect((await low.change(start(id, 'resume'))).problems).toMatchObject([{ code: 'UNIT_BUDGET_EXCEEDED' }]);
      expect((await low.change(start(id, 'retry'))).problems).toMatchObject([{ code: 'UNIT_BUDGET_EXCEEDED' }]);
      expect(charged(padron)).toHaveLength(1);
      expect((await high.change(start(id, 'resume'))).problems).toEqual([]);
      const { progress } = await high.until(id, 'DONE');
      expect(progress).toMatchObject({ done: 3, spentUnits: 5 });
      expect(charged(padron)).toHaveLength(5);
    });
  });

  it('also applies to a running row whose price was not known before', async () => {
    const { environment } = await rig.settings();
    const padron = await runPadronBehindProxy({ ...environment, BATCH_ENDPOINTS: 'any', MAX_UNITS: '11' });
    padron.proxy.tamper(fifteenReceipts);
    const client = new BatchClient(padron);
    const { id, estimate } = await client.ready(FILES, [{ registration: payer.registration }]);
    expect(estimate).toMatchObject({ estimatedUnits: 3, bounded: false });
    expect((await client.change(start(id))).problems).toEqual([]);
    const { progress } = await client.until(id, 'DONE');
    expect(progress).toMatchObject({ failed: 1, spentUnits: 11, uncertainUnits: 0 });
    expect(padron.calls()).toHaveLength(11);
    const [row] = await client.rows(id);
    expect(row).toMatchObject({ units: 11, problems: [{ code: 'UNIT_BUDGET_EXCEEDED' }] });
    await padron.stop();
  });
});

describe('a worker whose MAX_UNITS is lower than the price of a row', () => {
  const rig = engineRig('postgres');

  it('pauses a batch that another process started, and makes no calls', async () => {
    const common = (await rig.settings()).environment;
    await withPadron({ environment: { ...common, ROLE: 'graph' } }, async (graph) => {
      const client = new BatchClient(graph);
      const { id } = await client.ready(PROFILE, rows);
      expect((await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`)).problems).toEqual([]);
      const worker = {
        environment: { ...common, ROLE: 'worker', MAX_UNITS: '1' },
        registryUrl: () => graph.sandbox.url,
      };
      await withPadron(worker, async () => {
        expect(await client.until(id, 'PAUSED', 'DONE')).toMatchObject({ reason: { code: 'UNIT_BUDGET_EXCEEDED' } });
      });
      const { registryBatch } = await client.ask('query($id: ID!) { registryBatch(id: $id) { reason { message } } }', {
        id,
      });
      expect(registryBatch.reason.message).toContain('The row in line 2 costs 2 units');
      expect(graph.calls()).toEqual([]);
    });
  });
});
