import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { openStore } from '../../../../src/store/open-store';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { deferred } from '../../../support/proxies/deferred';
import { BATCH_FIELDS, BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeMigrations } from '../../../support/stores/store-migrations';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const CREDITS = 'use_buscar_credito';
const ALL = 'padron_batches_all';
const rows = NSS.slice(0, 3).map((nss) => ({ nss }));
const OWN_FIELDS = `id state rows { rows { data } } uploadUrl jsonlUrl csvUrl`;

describe.each(engines)('batches of two clients with a JWT, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let padron: RunningPadron;
  let payroll: BatchClient;

  beforeAll(async () => {
    const kept = await preparePadron(rig, { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET });
    padron = await kept.start();
    payroll = as('payroll', CREDITS);
  });
  beforeEach(() => void padron.calls());

  const as = (azp: string | null, ...scopes: readonly string[]): BatchClient => {
    const scope = ['padron_batch', ...scopes].join(' ');
    return new BatchClient(padron, signedBySecret(SECRET, { scope, ...(azp === null ? {} : { azp }) }));
  };
  const intern = (...scopes: readonly string[]): BatchClient => as('intern', ...scopes);
  const start = (client: BatchClient, id: string) =>
    client.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`);
  /** Returns the units of a batch in the ledger, by client. */
  const unitsByClient = async (id: string): Promise<Readonly<Record<string, number>>> => {
    const reader = new BatchClient(padron, signedBySecret(SECRET, { scope: 'padron_ledger' }));
    const { registrySpend } = await reader.ask('{ registrySpend(by: [CLIENT, BATCH]) { client batch units } }');
    const own = registrySpend.filter(({ batch }: { readonly batch: string }) => batch === id);
    return Object.fromEntries(
      own.map(({ client, units }: { readonly client: string; readonly units: number }) => [client, units]),
    );
  };

  it('are not listed, read, linked or resolved as entities for another client', async () => {
    const { id } = await payroll.ready(CREDIT, rows);
    const stranger = intern(CREDITS);
    expect(await stranger.get(id)).toBeNull();
    const { registryBatches } = await stranger.ask('{ registryBatches(first: 100) { batches { id } next } }');
    expect(registryBatches).toEqual({ batches: [], next: null });
    const entities = `query($keys: [_Any!]!) { _entities(representations: $keys) { ... on RegistryBatch { ${OWN_FIELDS} } } }`;
    const { _entities } = await stranger.ask(entities, { keys: [{ __typename: 'RegistryBatch', id }] });
    expect(_entities).toEqual([null]);
    expect((await payroll.get(id)).id).toBe(id);
  });

  it('cannot be changed by another client, and no call is made', async () => {
    const { id } = await payroll.ready(CREDIT, rows);
    const changes = [
      `startRegistryBatch(id: "${id}", maxUnits: 100)`,
      `pauseRegistryBatch(id: "${id}")`,
      `resumeRegistryBatch(id: "${id}", maxUnits: 100)`,
      `retryRegistryBatch(id: "${id}", maxUnits: 100)`,
      `cancelRegistryBatch(id: "${id}")`,
      `eraseRegistryBatch(id: "${id}")`,
    ];
    for (const call of changes)
      expect(await intern(CREDITS).change(call)).toMatchObject({
        batch: null,
        problems: [{ code: 'BATCH_NOT_FOUND' }],
      });
    expect(await payroll.get(id)).toMatchObject({ state: 'READY', progress: { spentUnits: 0 } });
    expect(padron.calls()).toEqual([]);
  });

  it('are visible to a client with the scope padron_batches_all', async () => {
    const { id } = await payroll.ready(CREDIT, rows);
    const auditor = as('auditor', ALL);
    expect(await auditor.get(id)).toMatchObject({ id, state: 'READY', client: 'payroll', operationName: 'Credit' });
    // The auditor may not call the endpoint.
    expect((await auditor.get(id)).startProblem).toMatchObject({ code: 'MISSING_PERMISSION' });
    expect((await payroll.get(id)).startProblem).toBeNull();
    const { registryBatches } = await auditor.ask('{ registryBatches(first: 100) { batches { id } } }');
    expect(registryBatches.batches).toContainEqual({ id });
  });

  it('cannot be created without the scope padron_batch', async () => {
    const reader = new BatchClient(padron, signedBySecret(SECRET, { scope: CREDITS, azp: 'payroll' }));
    await expect(reader.create({ operation: CREDIT, rows })).rejects.toThrow('padron_batch');
  });

  it('cannot be started by a client that lacks the scope of an endpoint, not even by their owner', async () => {
    const { id } = await payroll.ready(CREDIT, rows);
    const own = await intern().ready(CREDIT, rows);
    for (const [client, batch] of [
      [intern(ALL), id],
      [intern(), own.id],
    ] as const) {
      const { problems } = await start(client, batch);
      expect(problems).toMatchObject([
        { code: 'MISSING_PERMISSION', message: expect.stringContaining('`use_buscar_credito`') },
      ]);
      expect(await client.get(batch)).toMatchObject({ state: 'READY', progress: { spentUnits: 0 } });
    }
    expect(padron.calls()).toEqual([]);
  });

  it('run with the scopes of the client that starts them, which the ledger records', async () => {
    const { id } = await intern().ready(CREDIT, rows);
    await start(as('payroll', CREDITS, ALL), id);
    expect((await intern().until(id, 'DONE')).progress).toMatchObject({ done: 3, spentUnits: 3 });
    expect(await unitsByClient(id)).toEqual({ payroll: 3 });
    expect(padron.calls()).toHaveLength(3);
  });

  it('are retried with the scopes of the client that retries them', async () => {
    const { id } = await payroll.ready(CREDIT, rows);
    await start(payroll, id);
    await payroll.until(id, 'DONE');
    const refused = await intern(ALL).change(`retryRegistryBatch(id: "${id}", maxUnits: 100)`);
    expect(refused.problems).toMatchObject([{ code: 'MISSING_PERMISSION' }]);
    const taken = await intern(ALL, CREDITS).change(`retryRegistryBatch(id: "${id}", maxUnits: 100)`);
    expect(taken.problems).toEqual([]);
    expect(padron.calls()).toHaveLength(3);
  });

  it('are different if both clients use the same key', async () => {
    const input = { operation: CREDIT, rows, key: 'monthly' };
    const [first, second] = [await payroll.create(input), await intern().create(input)];
    expect(second.problems).toEqual([]);
    expect(second.batch.id).not.toBe(first.batch.id);
    expect((await payroll.create(input)).batch.id).toBe(first.batch.id);
    expect((await intern().create(input)).batch.id).toBe(second.batch.id);
    // A client cannot find out whether another client has a batch with the same key.
    expect((await intern().create({ ...input, key: 'other', operation: `${CREDIT} ` })).problems).toEqual([]);
  });

  it('cannot be used as a cursor by another client', async () => {
    const own = await intern().ready(CREDIT, rows);
    const { id } = await payroll.ready(CREDIT, rows);
    const query = 'query($after: String) { registryBatches(first: 100, after: $after) { batches { id } } }';
    const { registryBatches } = await intern().ask(query, { after: id });
    expect(registryBatches.batches).toEqual([]);
    const before = await intern().ask('{ registryBatches(first: 100) { batches { id } } }');
    expect(before.registryBatches.batches).toContainEqual({ id: own.id });
  });

  it('are not accessible with a token that names no client, unless it has the scope padron_batches_all', async () => {
    const { id } = await payroll.ready(CREDIT, rows);
    const create = `mutation($input: RegistryBatchInput!) { createRegistryBatch(input: $input) { batch { ${BATCH_FIELDS} } } }`;
    for (const query of ['{ registryBatches { batches { id } } }', `{ registryBatch(id: "${id}") { id } }`])
      await expect(as(null, CREDITS).ask(query)).rejects.toThrow('this token names no client');
    await expect(as(null, CREDITS).ask(create, { input: { operation: CREDIT, rows } })).rejects.toThrow(
      'padron_batches_all',
    );
    const operator = as(null, CREDITS, ALL);
    const own = await operator.ready(CREDIT, rows);
    expect(await operator.get(id)).toMatchObject({ id });
    expect(await payroll.get(own.id)).toBeNull();
  });
});

const manyRows = NSS.slice(0, 60).map((nss) => ({ nss }));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(engines)('the caller that starts or resumes a batch, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('is the client of every later call', async () => {
    const { environment } = await rig.settings();
    const jwt = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET };
    const padron = await runPadronBehindProxy({ ...environment, ...jwt, BATCH_CONCURRENCY: '4' });
    padron.proxy.tamper(async () => {
      await pause(50);
      return null;
    });
    const as = (azp: string, scope: string) => new BatchClient(padron, signedBySecret(SECRET, { azp, scope }));
    const scopes = 'padron_batch padron_batches_all use_buscar_credito';
    const first = as('first', scopes);
    const { id } = await first.ready(CREDIT, manyRows);
    await first.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`);
    while ((await first.get(id)).progress.done < 8) await pause(10);
    await first.change(`pauseRegistryBatch(id: "${id}")`);
    // Calls that were already claimed when the batch was paused are made.
    while ((await first.get(id)).progress.running > 0) await pause(10);
    const sent = padron.proxy.requests.length;
    await pause(300);
    expect(padron.proxy.requests).toHaveLength(sent);
    const { done } = (await first.get(id)).progress;
    await as('second', scopes).change(`resumeRegistryBatch(id: "${id}")`);
    expect((await first.until(id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 60, spentUnits: 60 });
    const reader = as('reader', 'padron_ledger');
    const { registrySpend } = await reader.ask('{ registrySpend(by: [CLIENT]) { client units } }');
    const units = new Map<string, number>(
      registrySpend.map((line: { readonly client: string; readonly units: number }) => [line.client, line.units]),
    );
    expect(Object.fromEntries(units)).toEqual({ first: done, second: 60 - done });
    expect(padron.calls()).toHaveLength(60);
    await padron.stop();
  });

  it('has its own token of the service stored until the batch ends, is canceled or erased, or the token is refused', async () => {
    const { environment, store: settings } = await rig.settings();
    const padron = await runPadronBehindProxy({ ...environment });
    rig.atEnd(() => padron.stop());
    const client = new BatchClient(padron);
    const start = async (): Promise<string> => {
      const { id } = await client.ready(CREDIT, rows);
      await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`);
      return id;
    };
    const ended = await start();
    await client.until(ended, 'DONE');
    padron.proxy.tamper(() => ({ status: 401, json: { message: 'x' } }));
    const refused = [await start(), await start()] as const;
    for (const id of refused)
      expect(await client.until(id, 'PAUSED')).toMatchObject({ reason: { code: 'TOKEN_REFUSED' } });
    const held = deferred();
    padron.proxy.tamper(held.tamper);
    const [canceled, erased, paused] = [await start(), await start(), await start()];
    await client.change(`cancelRegistryBatch(id: "${canceled}")`);
    await client.change(`eraseRegistryBatch(id: "${erased}")`);
    await client.change(`resumeRegistryBatch(id: "${refused[1]}")`);
    for (const id of [paused, refused[1]]) await client.change(`pauseRegistryBatch(id: "${id}")`);
    held.release();
    await padron.stop();
    const store = await openStore(settings, storeMigrations);
    const stored = await store.query<{ id: string; state: string }>(
      'SELECT id, state FROM batch WHERE token IS NOT NULL ORDER BY created_at',
    );
    const states = await store.query<{ state: string }>('SELECT state FROM batch ORDER BY created_at');
    await store.close();
    expect(states.map(({ state }) => state)).toEqual(['DONE', 'PAUSED', 'PAUSED', 'CANCELED', 'ERASED', 'PAUSED']);
    expect(stored.map(({ id }) => id)).toEqual([refused[1], paused]);
  });
});
