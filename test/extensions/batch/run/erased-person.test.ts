import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { openStore } from '../../../../src/store/open-store';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';
import { storeMigrations } from '../../../support/stores/store-migrations';

const JWT_SECRET = 'a-secret-shared-with-the-identity-provider';
const scope = 'padron_batch padron_erase use_buscar_credito padron_find_identity';
/** The housing fund returns the CURP of a person, and the population registry is asked about it. */
const IDENTITY = 'query Identity($nss: NSS!) { person(nss: $nss) { identity { outcome } } }';
const identityPath = '/api/renapo/grupo/valida-curp';
const [person] = people.filter(({ credit }) => credit !== null);

describe('a row that knows its person only from an answer', () => {
  const rig = engineRig('postgres');

  it.each([
    ['waits', 'SELECT', 1],
    ['was run by a process that died', 'DELETE FROM batch_subject', 0],
  ])('asks nothing more about the person after an erasure, if it %s', async (_what, left, rows) => {
    const { environment, store: settings } = await rig.settings();
    const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET };
    const padron = await runPadronBehindProxy({
      ...environment,
      ...jwt,
      IDENTITY_PATH: identityPath,
      BATCH_ENDPOINTS: 'any',
    });
    rig.atEnd(() => padron.stop());
    const store = await openStore(settings, storeMigrations);
    rig.atEnd(() => store.close());
    const { proxy } = padron;
    const isIdentity = ({ path }: { readonly path: string }): boolean => path.includes(identityPath);
    proxy.standIn((request) =>
      isIdentity(request) ? { status: 429, headers: { 'retry-after': '1' }, json: {} } : null,
    );
    const client = new BatchClient(padron, signedBySecret(JWT_SECRET, { scope, azp: 'officer' }));
    const { id } = await client.ready(IDENTITY, [{ nss: person?.nss }]);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10)`);
    await waitUntil(async () => proxy.requests.some(isIdentity) && (await client.get(id)).progress.running === 0);
    await store.query(left);
    const erasure = `mutation { eraseRegistrySubject(subject: { curp: "${person?.curp}" }) { rows } }`;
    expect(await client.ask(erasure)).toEqual({ eraseRegistrySubject: { rows } });
    proxy.reset();
    const progress = { erased: 1, done: 0, spentUnits: 1, uncertainUnits: 0 };
    expect(await client.until(id, 'DONE', 'PAUSED')).toMatchObject({ state: 'DONE', progress });
    expect(proxy.requests).toEqual([]);
    expect(await client.rows(id)).toMatchObject([{ state: 'ERASED', data: null }]);
  });
});
