import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { signedBySecret } from '../../support/keys/identity-provider';
import { withPadron } from '../../support/padrons/with-padron';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { engineRig, engines } from '../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const [first, second] = people;

describe.each(engines)('an upload that a later one replaces, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('is refused, and an erasure of its people leaves the rows of the later one', async () => {
    const { environment } = await rig.settings();
    const granted = { ...environment, REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: SECRET };
    await withPadron({ environment: granted }, async ({ url }) => {
      const scope = 'padron_batch padron_erase use_buscar_credito';
      await replaceUpload(new BatchClient({ url }, signedBySecret(SECRET, { scope, azp: 'officer' })));
    });
  });
});

async function replaceUpload(client: BatchClient): Promise<void> {
  const { batch } = await client.create({ operation: CREDIT });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.from(`nss\n${`${first?.nss}\n`.repeat(600)}`);
    await released;
    yield Buffer.from(`${first?.nss}\n`.repeat(600));
  }
  const replaced = fetch(batch.uploadUrl, { method: 'POST', body: slow(), duplex: 'half' } as RequestInit);
  // The first rows of the slow upload are stored.
  await sleep(500);
  const file = `nss\n${`${second?.nss}\n`.repeat(1_100)}`;
  expect((await client.upload(batch.uploadUrl, file)).body).toMatchObject({ rows: 1_100, refusedCount: 0 });
  release();
  expect((await replaced).status).toBe(400);
  await client.until(batch.id, 'READY');
  const erase = (nss: string | undefined) =>
    client.ask(`mutation { eraseRegistrySubject(subject: { nss: "${nss}" }) { rows } }`);
  expect(await erase(first?.nss)).toEqual({ eraseRegistrySubject: { rows: 0 } });
  expect(await erase(second?.nss)).toEqual({ eraseRegistrySubject: { rows: 1_100 } });
}
