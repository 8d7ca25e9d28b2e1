import { request } from 'undici';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

const [first = '', second = '', third = ''] = NSS;
const file = `No. Empleado;nss;Nombre;ref\n001;${first};"Peña ""Nacho""";a\n002;;Íñigo;b\n003;${second};Ana\n004;x;y;z;surplus\n005;${third};;e\n`;

describe.each(engines)('the rows of a dataset, on the %s engine', (engine) => {
  const padron = ledgerPadronForTests(engineRig(engine));
  const client = new BatchClient(padron);

  const rowsOf = async (id: string, state: string | null, language = 'en') => {
    const query = `query($id: ID!, $state: RegistryRowState) { registryBatch(id: $id) { rows(state: $state) { rows { number line ref state remarks } next } } }`;
    const reader = new BatchClient(padron, undefined, { 'accept-language': language });
    return (await reader.ask(query, { id, state })).registryBatch.rows.rows;
  };

  it('keep their lines, and refused rows are listed only if they are asked for', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    expect((await client.upload(batch.uploadUrl, file)).body).toMatchObject({ rows: 3, refusedCount: 2 });
    const ready = await client.until(batch.id, 'READY');
    expect(ready).toMatchObject({ estimate: { rowCount: 3, invalidRows: 0 }, progress: { rows: 3, waiting: 3 } });
    expect(await rowsOf(batch.id, null)).toEqual([
      { number: 1, line: 2, ref: 'a', state: 'WAITING', remarks: [] },
      { number: 3, line: 4, ref: null, state: 'WAITING', remarks: [] },
      { number: 5, line: 6, ref: 'e', state: 'WAITING', remarks: [] },
    ]);
    expect(await rowsOf(batch.id, 'REFUSED')).toEqual([
      { number: 2, line: 3, ref: 'b', state: 'REFUSED', remarks: ['The cell in the column `nss` is empty.'] },
      { ...{ number: 4, line: 5, ref: null, state: 'REFUSED' }, remarks: [expect.stringContaining('has 5 values')] },
    ]);
    expect((await rowsOf(batch.id, 'REFUSED', 'es'))[0].remarks).toEqual(['La celda de la columna `nss` está vacía.']);
  });

  it('never run if they are refused, also not when the batch is retried', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    await client.upload(batch.uploadUrl, file);
    const done = await client.run(batch.id, 10);
    expect(done).toMatchObject({ state: 'DONE', progress: { rows: 3, done: 3, failed: 0, waiting: 0 } });
    await client.change(`retryRegistryBatch(id: "${batch.id}", rows: FAILED, maxUnits: 10)`);
    expect(await client.until(batch.id, 'DONE')).toMatchObject({ progress: { rows: 3, done: 3 } });
    expect((await rowsOf(batch.id, 'REFUSED')).length).toBe(2);
  });

  it('are replaced with the refused ones when another file is sent', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    expect((await request(batch.uploadUrl, { method: 'POST', body: 'ref,nss\na,\n' })).statusCode).toBe(400);
    expect((await client.upload(batch.uploadUrl, `nss\n${first}\n`)).body).toMatchObject({ rows: 1, refusedCount: 0 });
    expect(await rowsOf(batch.id, 'REFUSED')).toEqual([]);
  });
});
