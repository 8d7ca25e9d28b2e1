import { post } from '../../support/padrons/padron';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

const rows = [{ nss: NSS[0] }];

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
      const { batch } = await client.create({ operation: CREDIT, rows, ...input });
      await client.run(batch.id, 9);
    }
    expect(padron.calls()).toHaveLength(2);
    for (let tries = 0; (await ledgerTags()).length < 2 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ledgerTags()).toEqual(['from the header', 'Compañía 25']);
  });
});
