import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { withPadron } from '../../../support/padrons/with-padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

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

  it.each([
    ['begins to arrive', 3, 0],
    ['is being stored', 16_000, 500],
  ])('is refused if its columns are chosen again while it %s, and the choice stays', async (_what, arrived, rows) => {
    const { environment } = await rig.settings();
    await withPadron({ environment }, async (padron) => {
      await chooseDuringUpload(new BatchClient(padron), arrived, rows);
      expect(padron.calls()).toEqual([]);
    });
  });
});

async function chooseDuringUpload(client: BatchClient, arrived: number, stored: number): Promise<void> {
  const chosen = (column: string) => ({ operation: CREDIT, key: 'k', columns: [{ column, variable: 'nss' }] });
  const file = `No;NSS\n${`${first?.nss};${second?.nss}\n`.repeat(1_000)}`;
  const { batch } = await client.create(chosen('NSS'));
  const upload = beginUpload(batch.uploadUrl, file.slice(0, arrived));
  // An upload that begins to be read extends the time for which its batch waits.
  await waitUntil(async () => (await client.get(batch.id)).expiresAt !== batch.expiresAt);
  await waitUntil(async () => (await client.rows(batch.id)).length === stored);
  expect((await client.create(chosen('No'))).problems).toEqual([]);
  const response = await upload.end(file.slice(arrived));
  expect([response.status, await response.json()]).toMatchObject([
    400,
    {
      errors: [{ message: 'The columns or the sheet of the batch were chosen again meanwhile. Send the rows again.' }],
    },
  ]);
  expect((await client.upload(batch.uploadUrl, file)).body).toMatchObject({
    rows: 1_000,
    columns: [
      { name: 'No', variable: 'nss' },
      { name: 'NSS', variable: null },
    ],
  });
}

/** Begins to send a file. `end` sends the last part. */
function beginUpload(url: string, start: string) {
  let release = (_last: string): void => {};
  const released = new Promise<string>((resolve) => {
    release = resolve;
  });
  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from(start);
    yield Buffer.from(await released);
  }
  const response = fetch(url, { method: 'POST', body: body(), duplex: 'half' } as RequestInit);
  return {
    end: (last: string): Promise<Response> => {
      release(last);
      return response;
    },
  };
}

async function replaceUpload(client: BatchClient): Promise<void> {
  const { batch } = await client.create({ operation: CREDIT });
  const replaced = beginUpload(batch.uploadUrl, `nss\n${`${first?.nss}\n`.repeat(600)}`);
  await waitUntil(async () => (await client.rows(batch.id)).length === 500);
  const file = `nss\n${`${second?.nss}\n`.repeat(1_100)}`;
  expect((await client.upload(batch.uploadUrl, file)).body).toMatchObject({ rows: 1_100, refusedCount: 0 });
  expect((await replaced.end(`${first?.nss}\n`.repeat(600))).status).toBe(400);
  await client.until(batch.id, 'READY');
  const erase = (nss: string | undefined) =>
    client.ask(`mutation { eraseRegistrySubject(subject: { nss: "${nss}" }) { rows } }`);
  expect(await erase(first?.nss)).toEqual({ eraseRegistrySubject: { rows: 0 } });
  expect(await erase(second?.nss)).toEqual({ eraseRegistrySubject: { rows: 1_100 } });
}
