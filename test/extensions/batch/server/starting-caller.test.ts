import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { openStore } from '../../../../src/store/open-store';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { deferred } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeMigrations } from '../../../support/stores/store-migrations';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const rows = NSS.slice(0, 60).map((nss) => ({ nss }));
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
    const { id } = await first.ready(CREDIT, rows);
    await first.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`);
    while ((await first.get(id)).progress.done < 8) await pause(10);
    await first.change(`pauseRegistryBatch(id: "${id}")`);
    await as('second', scopes).change(`resumeRegistryBatch(id: "${id}")`);
    const left = padron.proxy.requests.length;
    expect((await first.until(id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 60, spentUnits: 60 });
    const reader = as('reader', 'padron_ledger');
    const { registrySpend } = await reader.ask('{ registrySpend(by: [CLIENT]) { client units } }');
    const units = new Map<string, number>(
      registrySpend.map((line: { readonly client: string; readonly units: number }) => [line.client, line.units]),
    );
    // Calls that were already claimed when the batch was paused belong to the first client.
    expect(units.get('first')).toBeLessThanOrEqual(left + 4);
    expect((units.get('first') ?? 0) + (units.get('second') ?? 0)).toBe(60);
    expect(padron.calls()).toHaveLength(60);
    await padron.stop();
  });

  it('has its own token of the service stored until the batch ends, is canceled or erased, or the token is refused', async () => {
    const { environment, store: settings } = await rig.settings();
    const padron = await runPadronBehindProxy({ ...environment });
    rig.atEnd(() => padron.stop());
    const client = new BatchClient(padron);
    const start = async (): Promise<string> => {
      const { id } = await client.ready(CREDIT, rows.slice(0, 3));
      await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`);
      return id;
    };
    const ended = await start();
    await client.until(ended, 'DONE');
    padron.proxy.tamper(() => ({ status: 401, json: {} }));
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
