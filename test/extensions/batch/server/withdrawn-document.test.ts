import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { withPadron } from '../../../support/padrons/with-padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../../support/stores/engines';

const JWT_SECRET = 'a-secret-shared-with-the-identity-provider';
const scope = 'padron_batch padron_batches_all use_buscar_credito';
const tokenOf = (scopes: string): string => signedBySecret(JWT_SECRET, { azp: 'hr', scope: scopes });

describe('a batch whose operation is a trusted document', () => {
  const rig = engineRig('postgres');
  const sandbox = sandboxForTests();

  it('runs while the document is trusted, and is paused before its next row when it was withdrawn', async () => {
    const { environment } = await rig.settings();
    const spent = (): number => sandbox.spent(SANDBOX_TOKEN);
    /** Runs a process that trusts a document, or without rules. Its caller reads with a scope that may send other operations. */
    const run = <Result>(text: string | null, use: (client: BatchClient) => Promise<Result>): Promise<Result> => {
      const file = join(rig.folder(), 'documents.json');
      writeFileSync(file, JSON.stringify({ published: text }));
      const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET, BATCH_CONCURRENCY: '1' };
      const rules = text === null ? {} : { TRUSTED_DOCUMENTS: file };
      const setup = { environment: { ...environment, ...jwt, ...rules }, registryUrl: () => sandbox.url };
      return withPadron(setup, (padron) =>
        use(new BatchClient(padron, tokenOf(text === null ? scope : `${scope} padron_explore`))),
      );
    };
    const id = await run(null, async (client) => {
      const ready = await client.ready(
        CREDIT,
        NSS.slice(0, 200).map((nss) => ({ nss })),
      );
      await client.change(`startRegistryBatch(id: "${ready.id}", maxUnits: 200)`);
      return ready.id;
    });
    const before = spent();
    await run(CREDIT, () => waitUntil(() => spent() > before + 5));
    const left = spent();
    const paused = await run('{ registryEndpoints { units } }', (client) => client.until(id, 'DONE', 'PAUSED'));
    expect(paused).toMatchObject({ state: 'PAUSED', reason: { code: 'INVALID_FORMAT' }, progress: { running: 0 } });
    expect(paused.progress).toMatchObject({ spentUnits: left, failed: 0, unknown: 0 });
    expect(spent()).toBe(left);
    const ended = await run(CREDIT, async (client) => {
      await client.change(`resumeRegistryBatch(id: "${id}")`);
      return client.until(id, 'DONE', 'PAUSED');
    });
    expect(ended).toMatchObject({ state: 'DONE', progress: { done: 200, spentUnits: 200 } });
    expect(spent()).toBe(200);
  });
});
