import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { base64Input, credentialOf, verifyMutation } from '../../../support/keys/signatures';
import { payer } from '../../../support/operations/employer-graph';
import { post, type RunningPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { withPadron } from '../../../support/padrons/with-padron';
import type { Tamper } from '../../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { type EngineRig, engineRig, engines } from '../../../support/stores/engines';

const csv = (count: number): string => `nss\n${NSS.slice(0, count).join('\n')}\n`;
const rowsOf = (count: number) => NSS.slice(0, count).map((nss) => ({ nss }));

/** Starts padron with these quotas, and calls `use` with the clients of two accounts. */
async function withQuotas(
  rig: EngineRig,
  quotas: Readonly<Record<string, string>>,
  use: (own: BatchClient, stranger: BatchClient, url: string) => Promise<void>,
): Promise<void> {
  const { environment } = await rig.settings();
  await withPadron({ environment: { ...environment, ...quotas } }, ({ url }) =>
    use(new BatchClient({ url }, SANDBOX_TOKEN), new BatchClient({ url }, OTHER_TOKEN), url),
  );
}

describe.each(engines)('the quotas of batches, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('limit the batches of an account, and the problem names the quota and what to do', async () => {
    await withQuotas(rig, { BATCH_ACCOUNT_BATCHES: '2' }, async (own, stranger) => {
      const { id } = await own.ready(CREDIT, rowsOf(1));
      const input = { operation: CREDIT, rows: rowsOf(1), key: 'again' };
      const kept = await own.create(input);
      const { batch, problems } = await own.create({ operation: CREDIT, rows: rowsOf(1) });
      expect(batch).toBeNull();
      const message =
        'This account stores 2 of at most 2 batches (BATCH_ACCOUNT_BATCHES). Erase batches that you no longer need, or ask the operator to raise the limit.';
      expect(problems).toMatchObject([{ code: 'BATCH_QUOTA_EXCEEDED', message }]);
      expect((await own.create(input)).batch.id).toBe(kept.batch.id);
      expect((await stranger.create({ operation: CREDIT })).problems).toEqual([]);
      await own.change(`eraseRegistryBatch(id: "${id}")`);
      expect((await own.create({ operation: CREDIT })).problems).toEqual([]);
    });
  });

  it('limit the rows of all batches of an account, and a rejected file leaves no rows', async () => {
    await withQuotas(rig, { BATCH_ACCOUNT_ROWS: '5' }, async (own, stranger) => {
      await own.ready(CREDIT, rowsOf(3));
      const { batch } = await own.create({ operation: CREDIT });
      const refused = await own.upload(batch.uploadUrl, csv(3));
      const message = expect.stringMatching(/^This account stores 3 of at most 5 rows .*BATCH_ACCOUNT_ROWS/);
      const errors = [{ message, extensions: { code: 'BATCH_QUOTA_EXCEEDED' } }];
      expect(refused).toMatchObject({ status: 413, body: { errors } });
      expect(await own.upload(batch.uploadUrl, csv(2))).toMatchObject({ status: 200, body: { rows: 2 } });
      const inline = await own.create({ operation: CREDIT, rows: rowsOf(1) });
      expect(inline.problems).toMatchObject([{ code: 'BATCH_QUOTA_EXCEEDED' }]);
      expect((await stranger.ready(CREDIT, rowsOf(5))).progress.rows).toBe(5);
    });
  });
});

describe('the quotas of batches on PostgreSQL', () => {
  const rig = engineRig('postgres');

  it('include the results of idempotency keys: one that shows a batch and has no room is not kept', async () => {
    await withQuotas(rig, { BATCH_ACCOUNT_BYTES: '60000' }, async (_own, _stranger, url) => {
      const withKey = (key: string, rows: number, token = SANDBOX_TOKEN) =>
        post(
          url,
          {
            query: `mutation { createRegistryBatch(input: { operation: ${JSON.stringify(CREDIT)}, key: "shown", rows: [${NSS.slice(0, 100).map((nss) => `{ nss: "${nss}" }`)}] }) {
            batch { rows(first: ${rows}) { rows { number ref state attempts units uncertainUnits } } } } }`,
          },
          { 'idempotency-key': key, authorization: `Bearer ${token}` },
        );
      const kept = async (...sent: Parameters<typeof withKey>) => (await withKey(...sent)).headers['idempotency-kept'];
      const keys = Array.from({ length: 20 }, (_, index) => `full-${index}`);
      const found: unknown[] = [];
      for (const key of keys) found.push(await kept(key, 100));
      const first = found.indexOf('false');
      expect(first).toBeGreaterThan(0);
      expect(found.slice(first).every((value) => value === 'false')).toBe(true);
      // A signature costs a unit, so its result is kept although the quota is full.
      const signature = { query: verifyMutation, variables: { input: base64Input(credentialOf('person')) } };
      const authorization = `Bearer ${SANDBOX_TOKEN}`;
      const verify = () => post(url, signature, { 'idempotency-key': 'signature', authorization });
      for (let index = 0; (await kept(`small-${index}`, 5)) === undefined; index += 1) expect(index).toBeLessThan(20);
      expect(await kept('other', 100, OTHER_TOKEN)).toBeUndefined();
      expect((await verify()).headers['idempotency-kept']).toBeUndefined();
      const again = await Promise.all([...[keys[0], keys[first]].map((key) => withKey(key ?? '', 100)), verify()]);
      expect(
        again.map(({ headers, errors }) => headers['idempotency-replayed'] ?? errors?.[0].extensions.code),
      ).toEqual(['true', 'IDEMPOTENCY_RESULT_LOST', 'true']);
      const { problems } = await new BatchClient({ url }).create({ operation: CREDIT, rows: rowsOf(50) });
      expect(problems).toMatchObject([{ code: 'BATCH_QUOTA_EXCEEDED' }]);
    });
  });

  it('limit the batches of all accounts together, also if they are created at the same time', async () => {
    await withQuotas(rig, { BATCH_TOTAL_BATCHES: '3' }, async (own, stranger) => {
      const created = await Promise.all(
        [own, stranger, own, stranger, own, stranger].map((client) => client.create({ operation: CREDIT })),
      );
      expect(created.filter(({ batch }) => batch !== null).length).toBeLessThanOrEqual(3);
      while ((await own.create({ operation: CREDIT })).batch !== null);
      const { problems } = await stranger.create({ operation: CREDIT });
      expect(problems[0].message).toMatch(/^The accounts together store 3 of at most 3 batches/);
    });
  });

  it.each([
    ['BATCH_TOTAL_ROWS', '4', 2, /^The accounts together store 3 of at most 4 rows .*BATCH_TOTAL_ROWS/],
    ['BATCH_TOTAL_BYTES', '450', 2, /^The accounts together store \d{3} of at most 450 bytes .*BATCH_TOTAL_BYTES/],
    ['BATCH_ACCOUNT_BYTES', '1000', 50, /^This account stores \d{3} of at most 1000 bytes .*BATCH_ACCOUNT_BYTES/],
  ])('limit what accounts store: %s', async (setting, limit, count, message) => {
    await withQuotas(rig, { [setting]: limit }, async (own, stranger) => {
      await own.ready(CREDIT, rowsOf(setting.includes('TOTAL') ? 3 : 2));
      const next = setting.includes('TOTAL') ? stranger : own;
      const { problems } = await next.create({ operation: CREDIT, rows: rowsOf(count) });
      expect(problems[0].message).toMatch(message);
    });
  });

  it('do not let a caller keep a batch longer than the operator allows', async () => {
    await withQuotas(rig, { KEEP_DAYS: '3' }, async (own) => {
      const { batch, problems } = await own.create({ operation: CREDIT, retentionDays: 4 });
      expect(batch).toBeNull();
      const message =
        'Batches are kept for at most 3 days here (KEEP_DAYS). Ask for 1 to 3 days, or leave `retentionDays` out.';
      expect(problems).toMatchObject([{ code: 'OUT_OF_RANGE', path: ['input', 'retentionDays'], message }]);
      expect((await own.create({ operation: CREDIT, retentionDays: 2 })).problems).toEqual([]);
    });
  });
});

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
      expect(
        (await high.change(`startRegistryBatch(id: "${id}", maxUnits: 1, earlierAnswers: PAY_AGAIN)`)).problems,
      ).toEqual([]);
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
      expect(
        (await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`)).problems,
      ).toEqual([]);
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
