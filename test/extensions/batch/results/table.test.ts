import { parse } from 'csv-parse/sync';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { payer } from '../../../support/operations/employer-graph';
import { claudia, uriel } from '../../../support/operations/mixed-people';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';

const first = NSS.find((nss) => nss.startsWith('0')) ?? '';
const person = people.find(({ nss }) => nss === first);
const LICENCES = `query($nss: NSS!) { person(nss: $nss) { credit { outcome record { openedOn monthsWithoutContribution hasCredit } }
  housingAccount { outcome record { totalBalance } } licences { records { number title } } } }`;

const employer = 'query($registration: EmployerRegistration!) { employer(registration: $registration)';

/** Operations that do not select `problems`, and rows for which a resolver finds a problem in the answer. */
const cases = [
  {
    code: 'IDENTITY_CONFLICT',
    operation:
      'query($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome record { names } } } }',
    row: { nss: uriel.nss, curp: claudia.curp },
  },
  {
    code: 'NO_RECORD_MATCHES',
    operation: `${employer} { snapshots { outcome setAside } } }`,
    row: { registration: card('somebody-else', 'registration') },
  },
  {
    code: 'EMPLOYER_UNKNOWN',
    operation: `${employer} { receipts(period: "2025-01") { outcome } } }`,
    row: { registration: card('not-found', 'registration') },
  },
] as const;

describe('the table of a batch', () => {
  const padron = ledgerPadronForTests(engineRig(), { BATCH_ENDPOINTS: 'any' });
  const english = new BatchClient(padron);
  const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es-MX' });

  async function resultsOf(client: BatchClient, operation: string, file: string) {
    const { csvUrl, jsonlUrl, xlsxUrl } = await client.runFile({ operation }, file);
    const csv: string[][] = parse((await client.download(csvUrl)).text, { bom: true });
    return { csv, lines: await linesAt(jsonlUrl), sheet: await readWorkbook(await client.downloadBytes(xlsxUrl)) };
  }

  const linesAt = async (url: string) => {
    const lines = (await english.download(url)).text.trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  };

  it('begins with the columns of the file, unchanged and in its order, and contains the refused rows with their reason', async () => {
    const file = `No. Empleado;NSS;Estado;Nombre;NOMBRE;\n007;${first};Sonora;"Peña ""Nacho""";=1+1;x\n 008 ;;Jalisco;Íñigo;;\n009;${first.replace(/.$/, (digit) => `${(Number(digit) + 1) % 10}`)};;;;\n`;
    const { csv, lines, sheet } = await resultsOf(spanish, CREDIT, file);
    const [headers = [], ...rows] = csv;
    expect(headers.slice(0, 13)).toEqual([
      ...['No. Empleado', 'NSS', 'Estado', 'Nombre', 'NOMBRE', ''],
      ...[
        'Estado (2)',
        'Problema',
        'Códigos de problema',
        'Observaciones',
        'Línea',
        'Unidades',
        'Unidades por aclarar',
      ],
    ]);
    expect(headers.slice(13)).toContain('Crédito: código de validación');
    expect(rows[0]?.slice(0, 13)).toEqual([
      ...['007', first, 'Sonora', 'Peña "Nacho"', "'=1+1", 'x'],
      ...['Hecha', expect.stringMatching(/^El nombre completo/), 'FULL_NAME_DIFFERS', '', '2', '1', '0'],
    ]);
    expect(rows[1]?.slice(0, 13)).toEqual([
      ...[' 008 ', '', 'Jalisco', 'Íñigo', '', ''],
      ...['Rechazada', 'La celda de la columna `NSS` (`nss`) está vacía.', '', '', '3', '0', '0'],
    ]);
    expect(rows[2]?.slice(6, 9)).toEqual(['Con fallo', expect.stringContaining('dígito'), 'WRONG_CHECK_DIGIT']);
    expect(rows.map((row) => row[13])).toEqual(['Encontrado', '', 'Dato no válido']);
    const form = { name: 'Resultados', isHeaderBold: true, frozenRows: 1, filter: `A1:${sheet.lastColumn}4` };
    expect(sheet).toMatchObject(form);
    expect(sheet.kinds[1]?.slice(0, 7)).toEqual(Array(7).fill('text'));
    expect(sheet.texts).toEqual(csv.map((row) => row.map((text) => text.replace(/^'=/, '='))));
    expect(lines.map(({ row, line, state }) => `${row} ${line} ${state}`)).toEqual([
      ...['1 2 DONE', '2 3 REFUSED', '3 4 FAILED'],
    ]);
    const named = { 'No. Empleado': '007', NSS: first, Estado: 'Sonora', Nombre: 'Peña "Nacho"', NOMBRE: '=1+1' };
    expect(lines[0].input).toEqual({ ...named, 'column 6': 'x' });
    const remarks = ['La celda de la columna `NSS` (`nss`) está vacía.'];
    expect(lines[1]).toMatchObject({ remarks, units: 0, data: null });
  });

  it('has the same columns whatever the answers are, and joins the records of a list within a cell', async () => {
    const [, second = ''] = NSS;
    const { csv, sheet } = await resultsOf(english, LICENCES, `nss\n${first}\n`);
    const repeated = await resultsOf(english, LICENCES, `nss\n${second}\n`);
    expect(repeated.csv[0]).toEqual(csv[0]);
    expect(csv[0]?.slice(8)).toEqual([
      ...['Credit: outcome', 'Credit: opened on', 'Credit: months without contribution', 'Credit: has credit'],
      ...['Housing account: outcome', 'Housing account: total balance', 'Licences: number', 'Licences: title'],
    ]);
    expect(csv[1]?.[14]).toBe(person?.licences.map(({ number }) => number).join('; '));
    const kinds = sheet.kinds[1] ?? [];
    expect(kinds[0]).toBe('text');
    expect(kinds.slice(5, 8)).toEqual(['number', 'number', 'number']);
    expect(sheet.texts[1]).toEqual(csv[1]);
  });

  it('keeps the value of a column without a name beside a column with the name that it would get', async () => {
    const { lines } = await resultsOf(english, CREDIT, `nss,,column 2,\n${first},b,c,d\n`);
    expect(lines[0].input).toEqual({ nss: first, 'column 2 (2)': 'b', 'column 2': 'c', 'column 4': 'd' });
  });

  it('has every row in order, with its label, evidence and problems, as do the JSON lines', async () => {
    // People about whom the other tests of this file do not ask, so that their first answers are not replays.
    const [first = '', second = ''] = people.slice(5).flatMap(({ credit, nss }) => (credit ? [nss] : []));
    const mistyped = `${first.slice(0, 10)}${(Number(first[10]) + 1) % 10}`;
    const rows = [
      { ref: '=HYPERLINK("x")', nss: first },
      { ref: 'wrong', nss: mistyped },
      { ref: 'again', nss: first },
      { ref: 'last', nss: second },
    ];
    const { jsonlUrl, csvUrl } = await english.runRows(CREDIT, rows, 10);

    expect((await english.download(jsonlUrl)).type).toBe('application/x-ndjson; charset=utf-8');
    const lines = await linesAt(jsonlUrl);
    expect(lines.map(({ ref, row, state }) => `${ref} ${row} ${state}`)).toEqual([
      ...['=HYPERLINK("x") 1 DONE', 'wrong 2 FAILED', 'again 3 DONE', 'last 4 DONE'],
    ]);
    expect(lines[0].lookups).toMatchObject([{ field: 'person.credit', outcome: 'FOUND', evidence: { units: 1 } }]);
    expect(lines[1]).toMatchObject({ problems: [{ code: 'WRONG_CHECK_DIGIT', path: ['nss'] }], lookups: [], units: 0 });

    const csv = await english.download(csvUrl);
    expect(csv.type).toBe('text/csv; charset=utf-8');
    const table: Record<string, string>[] = parse(csv.text, { bom: true, columns: true });
    expect(table.map(({ ref }) => ref)).toEqual(['\'=HYPERLINK("x")', 'wrong', 'again', 'last']);
    expect(table.map(({ nss }) => nss)).toEqual([first, mistyped, first, second]);
    expect(table[0]).toMatchObject({
      State: 'Done',
      Units: '1',
      'Credit: outcome': 'Found',
      'Credit: billing': 'Charged',
      'Credit: validation code': lines[0].lookups[0].evidence.validationCode,
      'Credit: names': lines[0].data.person.credit.record.names,
    });
    expect(table[1]).toMatchObject({
      State: 'Failed',
      Problem: lines[1].problems[0].message,
      'Problem codes': 'WRONG_CHECK_DIGIT',
      'Credit: outcome': 'Invalid input',
    });
    // Rows run at the same time: it joins the call of the first row, or finds its answer.
    expect(table[2]).toMatchObject({ Units: '0', 'Credit: served from': expect.stringMatching(/^(Replay|Kept)$/) });
  });

  it.each(cases)(
    'has the problem $code that nothing selects, as do lines and rows',
    async ({ code, operation, row }) => {
      const { id, csvUrl, jsonlUrl } = await english.runRows(operation, [row]);
      const codes = expect.arrayContaining([expect.objectContaining({ code })]);
      expect(await english.rows(id)).toMatchObject([{ problems: codes }]);
      const [line] = await linesAt(jsonlUrl);
      expect(line).toMatchObject({ problems: codes });
      const [cells]: Record<string, string>[] = parse((await english.download(csvUrl)).text, {
        bom: true,
        columns: true,
      });
      expect(cells?.['Problem codes']?.split(' ')).toContain(code);
      expect(cells?.Problem).toContain(line.problems[0].message);
    },
  );

  const ownHeaders = ['State', 'Problem', 'Problem codes', 'Remarks', 'Line', 'Units', 'Uncertain units'];

  it('shows NOT_FOUND for a person with a credit but no licence, and keeps the call for the credit out', async () => {
    const without = people.find(({ credit, licences }) => credit && licences.length === 0);
    const operation = 'query($nss: NSS) { person(nss: $nss) { licences { outcome records { number } } } }';
    const { csv, lines } = await resultsOf(english, operation, `ref,nss\npedro,${without?.nss}\n`);
    expect(lines[0].data.person.licences).toEqual({ outcome: 'NOT_FOUND', records: [] });
    expect(lines[0].lookups.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['FOUND', 'NOT_FOUND']);
    expect(csv).toEqual([
      ['ref', 'nss', ...ownHeaders, 'Licences: outcome', 'Licences: number'],
      ['pedro', without?.nss, 'Done', '', '', '', '2', '2', '0', 'Not found', ''],
    ]);
  });

  it('keeps the value of an alias that has the name of a column', async () => {
    const operation = `query($nss: NSS) { State: person(nss: $nss) { nss } NSS: __typename Line: __typename
      data: person(nss: $nss) { ref: nss __proto__: nss } problems: person(nss: $nss) { credit { outcome: __typename evidence: __typename } } }`;
    const { csv } = await resultsOf(english, operation, `nss\n${first}\n`);
    const answers = ['State: NSS', 'NSS (2)', 'Line (2)', 'data: ref', 'data: __proto__', 'problems: credit: outcome'];
    expect(csv[0]).toEqual(['nss', ...ownHeaders, ...answers, 'problems: credit: evidence']);
    expect(csv[1]?.slice(8)).toEqual([
      ...[first, 'Query', 'Query', first, first, 'HousingCreditLookup', 'HousingCreditLookup'],
    ]);
  });
});

const FILES = `query Files($registration: EmployerRegistration!, $folio: String!) { employer(registration: $registration) {
  receiptFiles(period: "2025-01", folio: $folio) { outcome pdf { content } } } }`;
const count = 16;
const fileBytes = 600_000;
const rows = Array.from({ length: count }, (_, index) => ({
  registration: payer.registration,
  folio: `${100_000 + index}`,
}));
const base64 = Buffer.from(`%PDF-1.7\n${'\u0007'.repeat(fileBytes - 5)}%%EOF`).toString('base64');
const pdf = { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: fileBytes + 9, base64 };

const pageOf = (id: string, after: string | null, first = 500): string =>
  `registryBatch(id: "${id}") { rows(first: ${first}, after: ${after === null ? null : `"${after}"`}) { rows { number data } next } }`;

describe.each(engines)('a page of rows with files, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const limit = 3_000_000;
  let padron: ProxiedPadron;
  let client: BatchClient;
  let id: string;

  beforeAll(async () => {
    const { environment } = await rig.settings();
    padron = await runPadronBehindProxy({ ...environment, BATCH_ENDPOINTS: 'any', LIMIT_ANSWER_BYTES: `${limit}` });
    padron.proxy.standIn(({ path }) =>
      path.includes('/buscar-credito') ? null : { status: 200, json: { ok: true, files: { pdf, xml: null } } },
    );
    client = new BatchClient(padron);
    id = (await client.ready(FILES, rows)).id;
    expect((await client.run(id)).progress.done).toBe(count);
  });
  afterAll(() => padron.stop());

  it('ends before LIMIT_ANSWER_BYTES is exceeded, and its cursor continues until all rows are read', async () => {
    const numbers: number[] = [];
    let pages = 0;
    for (let after: string | null = null; pages === 0 || after !== null; pages += 1) {
      const data = await client.ask(`{ ${pageOf(id, after)} }`);
      expect(JSON.stringify(data).length).toBeLessThan(limit);
      const page = data.registryBatch.rows;
      for (const { data: answer } of page.rows) expect(answer.employer.receiptFiles.pdf.content).toBe(base64);
      numbers.push(...page.rows.map(({ number }: { readonly number: number }) => number));
      after = page.next;
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(pages).toBeGreaterThan(4);
  });

  it('shares the limit with the other pages of the same request', async () => {
    const query = `{ a: ${pageOf(id, null)} b: ${pageOf(id, '8')} }`;
    await expect(client.ask(query)).rejects.toThrow('OPERATION_TOO_LARGE');
    const small = await client.ask(`{ a: ${pageOf(id, null, 1)} b: ${pageOf(id, '8', 1)} }`);
    expect([small.a, small.b].map(({ rows: page }) => [page.rows[0].number, page.next])).toEqual([
      [1, '1'],
      [9, '9'],
    ]);
  });
});
