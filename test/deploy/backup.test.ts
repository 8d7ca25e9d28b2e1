import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OTHER_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { startSandbox } from '../../src/extensions/sandbox/service';
import { findOrThrow } from '../support/find-or-throw';
import { signedBySecret } from '../support/keys/identity-provider';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { holdResponses } from '../support/proxies/held-responses';
import { startProxy } from '../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../support/requests/batches';
import { engineRig } from '../support/stores/engines';

const page = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const section = page.slice(page.indexOf('## Back up and restore'), page.indexOf('## Upgrade and roll back'));
const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);

/** Runs the printed commands that contain `text`, in a folder. */
async function runPrinted(text: string, cwd: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const script = findOrThrow(commands, (code) => code.includes(text));
  await promisify(execFile)('sh', ['-e', '-c', script], { cwd, env: { PATH: process.env.PATH ?? '', ...variables } });
}

const SECRET = 'a-secret-shared-with-the-identity-provider';
const jwt = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET };
const token = signedBySecret(SECRET, { azp: 'hr', scope: 'padron_proofs padron_batch use_buscar_credito' });
const [bought, listed] = NSS;

const buy = (padron: RunningPadron) => new BatchClient(padron, token).ask(CREDIT, { nss: bought });
const proofs = async (padron: RunningPadron): Promise<readonly object[]> => {
  const query = `{ registryProofs(subject: { nss: "${bought}" }) { entries { outcome } } }`;
  return (await new BatchClient(padron, token).ask(query)).registryProofs.entries;
};

describe('the printed commands', () => {
  it('are all run by these tests', () => {
    expect(commands).toHaveLength(5);
  });
});

describe('a backup of PostgreSQL', () => {
  const rig = engineRig('postgres');

  it('is restored into another database, with the proofs, and with a running batch that can be paused first', async () => {
    const { environment } = await rig.emptySettings();
    const service = await startSandbox();
    const proxy = await startProxy(service.url);
    rig.atEnd(async () => {
      await proxy.close();
      await service.close();
    });
    const settings = { ...environment, ...jwt };
    const registryUrl = () => proxy.url;
    const padron = await runPadron({ environment: settings, registryUrl });
    await buy(padron);
    expect(await proofs(padron)).toEqual([{ outcome: 'FOUND' }]);
    const client = new BatchClient(padron, token);
    const { id } = await client.ready(CREDIT, [{ nss: listed }]);
    const held = holdResponses(proxy, 'buscar-credito');
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 1, earlierAnswers: PAY_AGAIN)`);
    await held.arrived(1);

    const folder = rig.folder();
    const { DATABASE_URL: RESTORED_URL = '' } = (await rig.emptySettings()).environment;
    await runPrinted('pg_dump', folder, { DATABASE_URL: environment.DATABASE_URL ?? '' });
    held.release();
    await padron.stop();
    await runPrinted('pg_restore', folder, { RESTORED_URL });
    await runPrinted('psql', folder, { RESTORED_URL });

    const sent = service.calls.length;
    const restored = await runPadron({ environment: { ...settings, DATABASE_URL: RESTORED_URL }, registryUrl });
    expect(await proofs(restored)).toEqual([{ outcome: 'FOUND' }]);
    const batch = await new BatchClient(restored, token).get(id);
    expect([batch.state, batch.progress.done, service.calls.length]).toEqual(['PAUSED', 0, sent]);
    await restored.stop();
  });
});

describe('a backup of the folder of an embedded store', () => {
  const rig = engineRig('embedded');

  it('is restored into another folder, with the proofs', async () => {
    const [DATA_DIR, RESTORED_DIR, folder] = [rig.folder(), join(rig.folder(), 'restored'), rig.folder()];
    const service = await startSandbox();
    rig.atEnd(() => service.close());
    const registryUrl = () => service.url;
    const padron = await runPadron({ environment: { ...jwt, DATA_DIR }, registryUrl });
    await buy(padron);
    await padron.stop();
    await runPrinted('--create', folder, { DATA_DIR });
    await runPrinted('--extract', folder, { RESTORED_DIR });
    const restored = await runPadron({ environment: { ...jwt, DATA_DIR: RESTORED_DIR }, registryUrl });
    expect(await proofs(restored)).toEqual([{ outcome: 'FOUND' }]);
    await restored.stop();
  });
});
