import { BatchClient, CREDIT, NSS } from '../../support/batches';
import { type RunningPadron, runPadron } from '../../support/padron';

const [first = '', second = '', third = ''] = NSS;
const LICENCES = `query Licences($curp: CURP, $name: PersonNameInput!, $all: Boolean = false) {
  person(curp: $curp, name: $name) { curp licences { outcome } credit @include(if: $all) { outcome } } }`;

let padron: RunningPadron;
let client: BatchClient;
beforeAll(async () => {
  padron = await runPadron({ environment: { DATA_DIR: '', LEDGER: 'off', ...(await folder()) } });
  client = new BatchClient(padron.url);
});
afterAll(() => padron.stop());

async function folder(): Promise<Readonly<Record<string, string>>> {
  const { mkdtempSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  return { DATA_DIR: mkdtempSync(join(tmpdir(), 'padron-files-')) };
}

/** What is taken of a file by an operation. */
async function taken(operation: string, file: string | Buffer, type = 'text/csv') {
  const { batch } = await client.create({ operation });
  const { status, body } = await client.upload(batch.uploadUrl, file, type);
  if (status !== 200) return { status, message: body.errors[0].message };
  const ready = await client.until(batch.id, 'READY');
  return { status, ...body, columns: ready.columns, id: batch.id };
}

describe('a file of rows', () => {
  it.each([
    ['commas', `ref,nss\na,${first}\nb,${second}\n`],
    ['semicolons and a byte order mark', `\uFEFFref;NSS\r\na;${first}\r\nb;${second}`],
    ['tabs', `ref\tnss\na\t${first}\nb\t${second}\n`],
    ['quotes with a line break in them', `"ref","$nss"\n"a","${first}"\n"b\nb","${second}"\n`],
    ['blank lines and empty rows', `ref,nss\n\na,${first}\n,\nb,${second}\n\n`],
    ['JSON lines', `{"ref":"a","nss":"${first}"}\n\n{"nss":"${second}"}\n`],
  ])('is read with %s', async (_what, file) => {
    expect(await taken(CREDIT, file)).toMatchObject({
      status: 200,
      rows: 2,
      refusedCount: 0,
      columns: expect.arrayContaining([expect.objectContaining({ variable: 'nss' })]),
    });
  });

  it('is read from a multipart form', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    const form = new FormData();
    form.append('file', new Blob([`nss\n${first}\n`], { type: 'text/csv' }), 'people.csv');
    const response = await fetch(batch.uploadUrl, { method: 'POST', body: form });
    expect([response.status, await response.json()]).toEqual([200, { rows: 1, refusedCount: 0, refused: [] }]);
  });

  it('leads by dots into input objects, and finds names however they are written', async () => {
    const file = 'Référence;CURP;name.names;Name.Paternal Surname;ALL\nx;;ANA;LÓPEZ;sí\n';
    const { columns, rows, id } = await taken(LICENCES, file);
    expect(rows).toBe(1);
    expect(columns).toEqual([
      { name: 'Référence', variable: null },
      { name: 'CURP', variable: 'curp' },
      { name: 'name.names', variable: 'name.names' },
      { name: 'Name.Paternal Surname', variable: 'name.paternalSurname' },
      { name: 'ALL', variable: 'all' },
    ]);
    expect((await client.get(id)).estimate.endpoints.length).toBeGreaterThan(0);
  });

  it('has its rows refused by line, and runs the others', async () => {
    const file = `ref,nss\na,${first}\nb,\nc,${second},surplus\nd,${third}\n`;
    expect(await taken(CREDIT, file)).toMatchObject({
      rows: 2,
      refusedCount: 2,
      refused: [
        { line: 3, column: 'nss', message: 'There is no value for the variable `nss`.' },
        { line: 4, column: null, message: 'The row has 3 values; the header names 2.' },
      ],
    });
    const jsonl = `{"nss":1}\nno json\n[]\n{"nss":"${first}"}\n`;
    const { refused } = await taken(CREDIT, jsonl);
    expect(refused.map(({ line, message }: { line: number; message: string }) => [line, message])).toEqual([
      [1, 'The value does not fit the variable `nss: NSS!`.'],
      [2, 'The line is no JSON.'],
      [3, 'The line is no JSON object.'],
    ]);
  });

  it.each([
    ['an empty file', '', /first line is empty/],
    ['a header alone', 'nss\n', /no rows/],
    ['no column of a variable', `number\n${first}\n`, /No column is named after the variable `nss`/],
    ['two columns of one name', `nss,nss\n${first},${second}\n`, /same name/],
    ['another charset', Buffer.from(`nombre,nss\nMU\xd1OZ,${first}\n`, 'latin1'), /not UTF-8/],
    ['rows that all are refused', 'ref,nss\na,\n', /None of the 1 rows can be taken/],
  ])('is refused whole, and another may be sent: %s', async (_what, file, message) => {
    const { batch } = await client.create({ operation: CREDIT });
    const refused = await client.upload(batch.uploadUrl, file);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].message).toMatch(message);
    expect((await client.upload(batch.uploadUrl, `nss\n${first}\n`)).body.rows).toBe(1);
    expect((await client.upload(batch.uploadUrl, `nss\n${first}\n`)).status).toBe(400);
  });

  it('is taken by its own link only', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    const another = (await client.create({ operation: CREDIT })).batch;
    const stolen = batch.uploadUrl.replace(batch.id, another.id);
    expect((await client.upload(stolen, `nss\n${first}\n`)).status).toBe(403);
    const results = batch.uploadUrl.replace('/rows?', '/results.csv?');
    expect((await client.download(results)).status).toBe(403);
    expect((await client.upload(batch.uploadUrl.replace(/expires=\d+/, 'expires=9999999999'), 'nss\n')).status).toBe(
      403,
    );
  });
});
