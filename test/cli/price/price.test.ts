import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand, padronCommand } from '../../support/processes/padron-command';
import { priceFile, priceList } from '../../support/sandbox/price-file';

const folder = mkdtempSync(join(tmpdir(), 'padron-price-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const credit = 'query Credit($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const status = 'query Status($curp: CURP!) { person(curp: $curp) { professionalStatus { outcome } } }';
const receipts =
  'query Receipts($r: EmployerRegistration!, $m: YearMonth!) { employer(registration: $r) { receipts(period: $m) { records { files { outcome } } } } }';
/** No server listens on this address and no token is set, because the command works offline. */
const offline = { PADRON_URL: 'http://127.0.0.1:1/graphql', PADRON_TOKEN: '' };
const price = (...args: readonly string[]) => padronCommand(['price', ...args], offline);

describe('the command `padron price`', () => {
  const documents = file('documents.json', JSON.stringify({ 'sha256:aa': credit, 'sha256:bb': status }));
  const unbounded = file('receipts.graphql', receipts);

  it('prints a table without a server, most expensive first', async () => {
    expect(await builtCommand(['price', documents], offline)).toMatchObject({
      code: 0,
      output: [
        'operation  units  calls  result',
        'Status     2          1',
        'Credit     1          1',
        '',
        '2 operations. Prices are upper bounds, except those with ≥ or ?.',
        '',
      ].join('\n'),
    });
  });

  it('prices by a list of the provider: that of --prices, or of PRICE_LIST', async () => {
    const [cheap, dear] = [priceList({ findCredit: { units: 3 } }), priceList({ findCredit: { units: 40 } })];
    const unitsOf = ({ output }: { readonly output: string }) => /^Credit +(\d+)/m.exec(output)?.[1];
    const withSetting = { ...offline, ...cheap };
    expect(unitsOf(await padronCommand(['price', documents], withSetting))).toBe('3');
    expect(unitsOf(await padronCommand(['price', documents, '--prices', dear.PRICE_LIST], withSetting))).toBe('40');
    const { PRICE_LIST: wrong } = priceList({ findCredt: { units: 3 } });
    expect(await price(documents, '--prices', wrong)).toMatchObject({
      code: 2,
      output: '',
      text: `${wrong}: "findCredt" is not a name in endpoints. Did you mean findCredit?\n`,
    });
  });

  it('exits with 1 if an operation is above the ceiling, and with 0 at the ceiling', async () => {
    const above = await price(documents, '--max-units', '1');
    expect([above.code, above.output.split('\n').at(-2)]).toEqual([1, 'Not within the ceiling of 1 unit: Status.']);
    expect(above.output).toMatch(/^Status .* ABOVE 1$/m);
    expect((await price(documents, '--max-units', '2')).code).toBe(0);
  });

  it('exits with 1 if an operation has no upper bound, unless that is allowed', async () => {
    const strict = await price(unbounded, '--max-units', '10');
    expect([strict.code, strict.output]).toEqual([1, expect.stringContaining('NO UPPER BOUND')]);
    expect(strict.output).toContain('no upper bound: employer.receipts.records.files, for each entry of a list');
    expect((await price(unbounded, '--max-units', '10', '--allow-unbounded')).code).toBe(0);
    expect((await price(unbounded, '--max-units', '2', '--allow-unbounded')).code).toBe(1);
  });

  it('exits with 1 if a price is unknown, in any case', async () => {
    const invalid = file('invalid.graphql', '{ person(nss: "1") { credit { outcome } } }');
    const { code, output } = await price(invalid, '--max-units', '10', '--allow-unbounded');
    expect([code, output]).toEqual([1, expect.stringMatching(/^anonymous +\? +0 +UNKNOWN$/m)]);
  });

  it('exits with 1 if an operation starts a batch above the ceiling, or with a limit that is unknown', async () => {
    const start = (limit: string) => `startRegistryBatch(id: $id, maxUnits: ${limit}) { batch { id } }`;
    const literal = file('literal.graphql', `mutation Start($id: ID!) { ${start('1000000')} }`);
    const variable = file('variable.graphql', `mutation Start($id: ID!, $max: Int!) { ${start('$max')} }`);
    const above = await price(literal, '--max-units', '0');
    expect([above.code, above.output]).toEqual([1, expect.stringMatching(/^Start +1000000 +0 +ABOVE 0$/m)]);
    expect((await price(literal, '--max-units', '1000000')).code).toBe(0);
    const unknown = await price(variable, '--max-units', '5');
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringMatching(/^Start +\? +0 +UNKNOWN$/m)]);
    expect(unknown.output).toContain('price unknown: startRegistryBatch spends up to the limit of its batch');
    const markdown = await price(variable, '--max-units', '5', '--markdown');
    expect([markdown.code, markdown.output]).toEqual([
      1,
      expect.stringContaining('| Start | ? |  | UNKNOWN<br>price unknown: startRegistryBatch spends up to'),
    ]);
    const values = file('start.json', '{ "Start": { "max": 5 } }');
    expect((await price(variable, '--max-units', '5', '--variables', values)).code).toBe(0);
  });

  it('prints JSON', async () => {
    const { output } = await price(documents, unbounded, '--json', '--max-units', '2');
    const { passes, operations } = JSON.parse(output);
    expect(passes).toBe(false);
    expect(operations.map(({ name, units, isTooExpensive }: Priced) => [name, units, isTooExpensive])).toEqual([
      ['Receipts', 3, true],
      ['Status', 2, false],
      ['Credit', 1, false],
    ]);
    expect(operations[1]).toMatchObject({
      source: `${documents}, operation Status (sha256:bb)`,
      endpoints: [{ calls: 1, unitsPerCall: 2, units: 2 }],
    });
  });

  it('takes the values of variables from a file, by operation', async () => {
    const missing = file(
      'optional.graphql',
      'query Identity($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { identity { outcome } } }',
    );
    const variables = file('variables.json', '{ "Identity": { "curp": "GUMU850212HDFTRR09" } }');
    expect((await price(missing, '--json')).output).toContain('"units": 2');
    const { code, output } = await price(missing, '--variables', variables, '--json');
    expect([code, JSON.parse(output).operations[0].unknown]).toEqual([
      0,
      [expect.stringContaining('curp is rejected')],
    ]);
    const absent = await price(documents, '--variables', variables);
    expect([absent.code, absent.text]).toEqual([2, '--variables: there is no operation Identity. Check the name.\n']);
  });

  it.each([
    ['no file', [], 'Name the file or the folder of the operations.'],
    ['a ceiling that is not a number', ['x.json', '--max-units', 'ten'], '--max-units must be a whole number.'],
    ['two formats', ['x.json', '--json', '--markdown'], 'Give --json or --markdown, not both.'],
    ['a missing file', [join(folder, 'none.json')], `${join(folder, 'none.json')}: it cannot be read. Check the path.`],
    ['a pattern', ['schema/examples/*.graphql'], 'Name a folder or files: only a shell expands patterns.'],
    [
      'a wrong document',
      [file('bad.graphql', 'query Bad { nothing }')],
      'bad.graphql, operation Bad: Cannot query field "nothing"',
    ],
    [
      'variables that are a list',
      [file('one.json', JSON.stringify({ a: credit })), '--variables', file('list.json', '[]')],
      'list.json: it must be a JSON object',
    ],
  ])('exits with 2 and the reason: %s', async (_, args, reason) => {
    expect(await price(...args)).toMatchObject({ code: 2, output: '', text: expect.stringContaining(reason) });
  });

  it('exits with 2 and the name of an unknown option', async () => {
    expect(await builtCommand(['price', 'x.json', '--units', '1'], offline)).toMatchObject({
      code: 2,
      output: '',
      text: expect.stringContaining("Unknown option '--units'"),
    });
  });
});

interface Priced {
  readonly name: string;
  readonly units: number;
  readonly isTooExpensive: boolean;
}

describe('the command `padron prices`', () => {
  it('prints the list of this version, and that of PRICE_LIST with every endpoint', async () => {
    const own = await padronCommand(['prices'], offline);
    expect(own.output).toContain('    "findCredit": {"units":1,"charged":["FOUND","NOT_FOUND"]},\n');
    const again = await padronCommand(['prices'], priceFile(own.output));
    expect(again).toEqual(own);
    const { output } = await padronCommand(['prices'], priceList({ findCredit: { units: 3 } }, 7));
    expect(output).toBe(
      own.output
        .replace('"version": 1', '"version": 7')
        .replace('"findCredit": {"units":1', '"findCredit": {"units":3'),
    );
    expect(await padronCommand(['prices', '--all'], offline)).toMatchObject({ code: 2, output: '' });
  });
});
