import { OTHER_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { signedBySecret } from '../../support/keys/identity-provider';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig, engines } from '../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const rows = NSS.slice(0, 60).map((nss) => ({ nss }));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(engines)('a running batch that another client pauses and resumes, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('records every later call for the client that resumed it', async () => {
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
});
