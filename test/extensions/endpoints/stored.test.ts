import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';
import { setupOf } from './definitions';

const WEEKS = 'POST /api/imss/grupo/semanas-cotizadas';
const POSTAL = 'POST /api/sepomex/grupo/buscar-codigo';
const [kept = '', erased = '', ofBatch = ''] = people.slice(2).map(({ nss }) => nss);
const scope =
  'use_semanas_cotizadas padron_find_postal_code padron_ledger padron_ledger_all padron_proofs padron_batch padron_erase';
const token = signedBySecret(JWT_SECRET, { client_id: 'hr', scope });
const caller = { authorization: `Bearer ${token}` };
const weeksOf = '{ contributionWeeks { outcome evidence { units servedFrom } } }';

describe('the answers of an endpoint file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'padron-prices-'));
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, '{ "version": 1, "endpoints": { "findPostalCode": { "units": 7 } } }');
  afterAll(() => rmSync(folder, { recursive: true }));
  const environment = { REUSE_DAYS: '1', JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN, PRICE_LIST: prices };
  const padron = ledgerPadronForTests(engineRig(), environment, setupOf());
  const client = new BatchClient(padron, token);
  beforeEach(() => void padron.calls());

  async function ask(query: string, headers: Readonly<Record<string, string>> = {}) {
    const { data, errors } = await padron.ask(query, {}, { ...caller, ...headers });
    expect(errors).toBeUndefined();
    return data;
  }
  const proofsOf = async (nss: string): Promise<readonly string[]> => {
    const { registryProofs } = await ask(
      `{ registryProofs(subject: { nss: "${nss}" }) { entries { evidence { endpoint } } } }`,
    );
    return registryProofs.entries.map((entry: { readonly evidence: { endpoint: string } }) => entry.evidence.endpoint);
  };

  it('are used again by their age, without a second call', async () => {
    const query = `{ person(nss: "${kept}") ${weeksOf} }`;
    const evidence = async () => (await ask(query, { 'x-max-age': '1h' })).person.contributionWeeks.evidence;
    expect(await evidence()).toEqual({ units: 3, servedFrom: 'LIVE' });
    // Reading the sums waits until the call is closed in the store.
    await ask('{ registrySpend { units } }');
    expect(await evidence()).toEqual({ units: 0, servedFrom: 'KEPT' });
    expect(padron.calls()).toEqual([WEEKS]);
  });

  it('are proofs of their person, until the person is erased', async () => {
    const query = `{ person(nss: "${erased}") ${weeksOf} }`;
    await ask(query, { 'x-max-age': '1h' });
    expect(await proofsOf(erased)).toEqual([WEEKS]);
    const { eraseRegistrySubject } = await ask(
      `mutation { eraseRegistrySubject(subject: { nss: "${erased}" }) { entries } }`,
    );
    expect(eraseRegistrySubject.entries).toBe(1);
    expect(await proofsOf(erased)).toEqual([]);
    expect((await ask(query, { 'x-max-age': '1h' })).person.contributionWeeks.evidence.servedFrom).toBe('LIVE');
  });

  it('cost what a price list says', async () => {
    const { registryEndpoints, postalCode } = await ask(
      '{ registryEndpoints { name units scope } postalCode(code: "06700") { evidence { units } } }',
    );
    const endpoint = { name: 'findPostalCode', units: 7, scope: 'padron_find_postal_code' };
    expect(registryEndpoints).toContainEqual(endpoint);
    expect(postalCode.evidence.units).toBe(7);
    const { _service } = await ask('{ _service { sdl } }');
    expect(_service.sdl).toMatch(/postalCode\([^)]*\): SettlementLookup @cost\(weight: 7\) @tag\(name: "lookup"\)/);
  });

  it('are columns of a batch, with headers in both languages', async () => {
    const operation = `query($nss: NSS!) { person(nss: $nss) { contributionWeeks { outcome record { nss weeks } } } postalCode(code: "06700") { records { name } } }`;
    const { csvUrl, estimate } = await client.runRows(operation, [{ nss: ofBatch }]);
    expect(estimate).toMatchObject({ estimatedUnits: 10, atMost: 10 });
    const read = async (language: string) => {
      const { text } = await client.download(`${csvUrl}&language=${language}`);
      return (parse(text, { bom: true, columns: true }) as Record<string, string>[])[0];
    };
    expect(await read('en')).toMatchObject({
      'Contribution weeks: outcome': 'Found',
      'Contribution weeks: weeks': '1043',
      'Postal code: name': expect.stringContaining('Roma Norte'),
    });
    expect(await read('es')).toMatchObject({
      'Semanas cotizadas: resultado': 'Encontrado',
      'Semanas cotizadas: semanas reconocidas': '1043',
      'Código postal: asentamiento': expect.stringContaining('Roma Norte'),
    });
    expect([...padron.calls()].sort()).toEqual([WEEKS, POSTAL].sort());
  });
});
