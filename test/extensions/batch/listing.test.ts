import { post, type RunningPadron } from '../../support/padrons/padron';
import { ledgerPadronForTests, padronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { bothEngines, engineRig } from '../../support/stores/engines';

const rows = NSS.slice(0, 2).map((nss) => ({ nss }));
const ACCOUNT = 'query Account($nss: NSS!) { person(nss: $nss) { housingAccount { outcome } } }';
/** Two calls per person, one unit each. */
const PROFILE = 'query Profile($nss: NSS!) { person(nss: $nss) { credit { outcome } licences { outcome } } }';
const LINE = 'id name operationName client state startProblem { code message }';

describe.each(bothEngines)('the list of batches, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron: RunningPadron = ledgerPadronForTests(rig);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());

  const list = async (reader = client, state: string | null = null) => {
    const query = `query($state: RegistryBatchState) { registryBatches(state: $state, first: 100) { batches { ${LINE} } } }`;
    return (await reader.ask(query, { state })).registryBatches.batches;
  };
  const ids = async (state: string | null = null): Promise<readonly string[]> =>
    (await list(client, state)).map(({ id }: { readonly id: string }) => id);
  const create = async (operation: string) => {
    const { batch } = await client.create({ operation, rows, name: 'people.csv' });
    return client.until(batch.id, 'READY');
  };

  it('shows which operation each batch runs, and why a batch cannot start as the start would report it', async () => {
    const ready = await create(CREDIT);
    const barred = await create(ACCOUNT);
    expect(barred.barredEndpoints).toEqual(['POST /api/infonavit/grupo/obtener-cuenta']);
    const [first, second] = await list();
    expect(first).toMatchObject({ id: barred.id, name: 'people.csv', operationName: 'Account', state: 'READY' });
    expect(first.startProblem).toMatchObject({
      code: 'NOT_IN_BATCH',
      message: expect.stringContaining('/obtener-cuenta'),
    });
    expect(second).toMatchObject({ id: ready.id, name: 'people.csv', operationName: 'Credit', startProblem: null });
    const refused = await client.change(`startRegistryBatch(id: "${barred.id}", maxUnits: 9)`);
    expect(refused.problems).toEqual([first.startProblem]);
    await client.run(ready.id, 9);
    expect((await client.get(ready.id)).startProblem).toBeNull();
  });

  it('names the row that costs more than the limit of the caller, in the language of the caller', async () => {
    const { id } = await create(PROFILE);
    const find = async (headers: Readonly<Record<string, string>>) =>
      (await list(new BatchClient(padron, undefined, headers))).find((batch: { id: string }) => batch.id === id);
    expect((await find({ 'x-max-units': '1' })).startProblem).toEqual({
      code: 'UNIT_BUDGET_EXCEEDED',
      message: expect.stringMatching(/^The row in line 1 costs 2 units, but a row may cost at most 1 /),
    });
    expect((await find({ 'x-max-units': '1', 'accept-language': 'es-MX' })).startProblem.message).toMatch(
      /^La fila de la línea 1 cuesta 2 unidades/,
    );
    expect((await find({ 'x-max-units': '2' })).startProblem.code).toBe('EARLIER_ANSWERS');
  });

  it('contains a batch when it has its rows, and after a rejected file the corrected one is accepted', async () => {
    const input = { operation: CREDIT, key: 'corrected' };
    const { batch } = await client.create(input);
    const rejected = await client.upload(batch.uploadUrl, 'number\n1\n');
    expect(rejected.status).toBe(400);
    expect(await ids()).not.toContain(batch.id);
    expect(await ids('WAITING_FOR_ROWS')).toContain(batch.id);
    expect((await client.create(input)).batch).toMatchObject({ id: batch.id, state: 'WAITING_FOR_ROWS' });
    expect(await client.upload(batch.uploadUrl, `nss\n${NSS[0]}\n`)).toMatchObject({ status: 200, body: { rows: 1 } });
    await client.until(batch.id, 'READY');
    expect((await client.upload(batch.uploadUrl, `nss\n${NSS[0]}\n`)).status).toBe(400);
    expect(await ids()).toContain(batch.id);
    expect(await ids('WAITING_FOR_ROWS')).not.toContain(batch.id);
  });

  it('does not contain an erased batch that never had rows, and its key can be used for another operation', async () => {
    const { batch, problems } = await client.create({ operation: CREDIT, key: 'reused', rows: [{ nss: {} }] });
    expect(problems).toMatchObject([{ path: ['input', 'rows'] }]);
    const erased = await client.change(`eraseRegistryBatch(id: "${batch.id}")`);
    expect(erased.batch).toMatchObject({ id: batch.id, state: 'ERASED' });
    expect(await ids()).not.toContain(batch.id);
    expect((await client.create({ operation: PROFILE, key: 'reused', rows })).problems).toEqual([]);
  });

  it('makes no calls and spends nothing while batches are listed and priced', () => {
    expect(padron.callsInFull().filter(({ units }) => units > 0)).toHaveLength(rows.length);
  });
});

describe('a list of batches without a store', () => {
  const padron = padronForTests();

  it('does not exist', async () => {
    const { errors } = await padron.ask('{ registryBatches { batches { id } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'BATCHES_OFF' } }]);
  });
});

describe('the tag of a batch', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig);
  const client = new BatchClient(padron, undefined, { 'x-tag': 'from the header' });

  const ledgerTags = async (): Promise<readonly string[]> => {
    const { data } = await post(padron.url, { query: '{ registryLedger { entries { tag } } }' });
    return data.registryLedger.entries.map(({ tag }: { tag: string }) => tag);
  };

  it.each([
    ['identifiers and an address', 'JUAN PENJ800101HDFRXN07 01868012343 juan.perez@example.com'],
    ['a NUL', 'nómina\u0000'],
    ['a line break', 'a\nb'],
    ['letters that a header cannot contain', '工資'],
  ])('is rejected and not stored if it contains %s', async (_what, tag) => {
    const query = `mutation($input: RegistryBatchInput!) { createRegistryBatch(input: $input) { batch { id } problems { code path message } } }`;
    const { data, errors } = await post(padron.url, { query, variables: { input: { operation: CREDIT, rows, tag } } });
    // padron rejects a NUL in any text of a request.
    if (tag.includes('\0')) expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    else
      expect(data.createRegistryBatch).toEqual({
        batch: null,
        problems: [
          { code: 'INVALID_FORMAT', path: ['input', 'tag'], message: expect.stringContaining('three digits at most') },
        ],
      });
    expect((await client.ask('{ registryBatches { batches { id } } }')).registryBatches.batches).toEqual([]);
    expect(await ledgerTags()).toEqual([]);
    expect(padron.calls()).toEqual([]);
  });

  it('is normalized in the ledger as the header is, and is taken from the header if the input has none', async () => {
    for (const input of [{ tag: ' Compan\u0303i\u0301a 25 ' }, {}]) {
      const { batch } = await client.create({ operation: CREDIT, rows: rows.slice(0, 1), ...input });
      await client.run(batch.id, 9);
    }
    expect(padron.calls()).toHaveLength(2);
    for (let tries = 0; (await ledgerTags()).length < 2 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ledgerTags()).toEqual(['from the header', 'Compañía 25']);
  });
});
