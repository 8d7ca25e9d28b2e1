import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { type Claims, signedBySecret } from '../support/keys/identity-provider';
import { ACCOUNT, CREDIT } from '../support/operations/people-endpoints';
import { preparePadron } from '../support/padrons/ledger';
import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { builtCommand, padronCommand } from '../support/processes/padron-command';
import { card } from '../support/sandbox/cards';
import { unusedNss } from '../support/sandbox/identifiers';
import { type Contract, chargingBy } from '../support/sandbox/price-file';
import { engineRig } from '../support/stores/engines';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));
const sums = '{ registrySpend(by: [ENDPOINT]) { endpoint units uncertainUnits } }';
const interval = ['--from', '2020-01-01', '--to', '2100-01-01'];

type Units = Readonly<Record<string, number | string>>;

/** Writes a statement, one line per endpoint unless it is a text. Returns its path. */
function statementOf(content: Units | string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'padron-statement-')), 'statement.csv');
  const lines = Object.entries(content).map(([endpoint, units]) => `${endpoint},${units}\n`);
  writeFileSync(file, typeof content === 'string' ? content : lines.join(''));
  return file;
}

describe('the command `padron reconcile`', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig);
  const charged: Record<string, number> = {};
  beforeAll(async () => {
    const asked = { payroll: person.nss, kiosk: card('html', 'nss'), lending: card('server-error', 'nss') };
    for (const [client, nss] of Object.entries(asked))
      await padron.ask(
        `{ person(nss: "${nss}") { credit { outcome } housingAccount { outcome } } }`,
        {},
        { 'x-client-name': client },
      );
    for (const { endpoint, units } of padron.callsInFull()) charged[endpoint] = (charged[endpoint] ?? 0) + units;
  });
  beforeEach(() => void padron.calls());
  afterEach(() => expect(padron.calls()).toEqual([]));

  const unitsOf = (endpoint: string): number => charged[endpoint] ?? 0;
  const reconcile = (statement: Units | string, ...options: readonly string[]) =>
    padronCommand(['reconcile', statementOf(statement), ...interval, '--url', padron.url, ...options]);
  const ledger = async () => (await padron.ask(sums)).data.registrySpend;
  const settledNotes = async (): Promise<readonly (string | null)[]> => {
    const entries = '{ registryLedger { entries { settlement { note } } } }';
    const page = (await padron.ask(entries)).data.registryLedger;
    return page.entries.flatMap(({ settlement }: { settlement: { note: string | null } | null }) =>
      settlement === null ? [] : [settlement.note],
    );
  };

  it('reports an agreement that leaves calls unknown, and cannot settle them, because it cannot know which were charged', async () => {
    const before = await ledger();
    expect(before.map(({ uncertainUnits }: { uncertainUnits: number }) => uncertainUnits > 0)).toEqual([true, true]);
    const statement = { [CREDIT]: unitsOf(CREDIT), [ACCOUNT]: unitsOf(ACCOUNT) };
    const { code, output } = await reconcile(statement);
    expect(output).toMatch(/^endpoint +statement +ledger +unknown +result\n/);
    for (const endpoint of [CREDIT, ACCOUNT])
      expect(output).toContain(
        `\n${endpoint}: 1 of 2 unknown calls was charged, unknown which (clients: kiosk, lending). To choose by price alone, add --settle any.\n`,
      );
    expect(output).toContain('The statement agrees with the ledger.\n');
    expect(code).toBe(0);
    expect(await reconcile(statement, '--settle')).toMatchObject({
      code: 0,
      output: expect.stringContaining('\nNo unknown call was settled.\n'),
    });
    for (const all of [['--settle', 'all'], ['--settle=all']])
      expect(await reconcile(statement, ...all)).toMatchObject({ code: 2, output: '' });
    expect([await ledger(), await settledNotes()]).toEqual([before, []]);
  });

  it('settles the endpoints that agree with --settle any and a note that says so, and reports those that differ', async () => {
    const before = await ledger();
    const sumOf = (endpoint: string): { units: number; uncertainUnits: number } =>
      findOrThrow<{ endpoint: string; units: number; uncertainUnits: number }>(
        before,
        (sum) => sum.endpoint === endpoint,
      );
    const [credit, account] = [sumOf(CREDIT), sumOf(ACCOUNT)];
    const statement = { [CREDIT]: unitsOf(CREDIT), [ACCOUNT]: 100 + unitsOf(ACCOUNT), 'POST /api/x': '"1,204"' };
    const first = await reconcile(statement, '--settle', 'any');
    const missing = 100 + unitsOf(ACCOUNT) - account.units - account.uncertainUnits;
    expect(first.output).toMatch(new RegExp(`^${CREDIT} .* agrees$`, 'm'));
    expect(first.output).toMatch(
      new RegExp(`^${ACCOUNT} .* DIFFERS: ${missing} units charged, not in the ledger$`, 'm'),
    );
    expect(first.output).toMatch(/^POST \/api\/x +1,204 +0 +0 {2}DIFFERS: 1,204 units charged, not in the ledger$/m);
    expect(first.output).toContain('\nSettled 2 unknown calls: 1 charged, 1 not charged.\n');
    expect(first.output).not.toContain('unknown which');
    expect(first.code).toBe(1);
    expect(await settledNotes()).toEqual(Array(2).fill('assigned by the sum of the statement'));
    const settled = { ...credit, units: unitsOf(CREDIT), uncertainUnits: 0 };
    expect(await ledger()).toEqual(expect.arrayContaining([account, settled]));

    const lower = await reconcile({ [CREDIT]: unitsOf(CREDIT) }, '--settle');
    expect(lower.code).toBe(1);
    expect(lower.output).toMatch(
      new RegExp(`^${ACCOUNT} .* DIFFERS: ${account.units} units? in the ledger, not charged$`, 'm'),
    );

    const all = account.units + account.uncertainUnits;
    const last = await reconcile({ [CREDIT]: unitsOf(CREDIT), [ACCOUNT]: all }, '--settle');
    expect(last.output).toContain('\nSettled 2 unknown calls: 2 charged, 0 not charged.\n');
    expect(last.code).toBe(0);
    expect((await settledNotes()).filter((note) => note === null)).toHaveLength(2);
    charged[ACCOUNT] = all;
    expect(await ledger()).toEqual(
      expect.arrayContaining(
        [CREDIT, ACCOUNT].map((endpoint) => ({ endpoint, units: unitsOf(endpoint), uncertainUnits: 0 })),
      ),
    );
  });

  it.each([
    ['a heading', `\uFEFFEndpoint,Units\n${CREDIT},UNITS\n${ACCOUNT},OTHERS\n`],
    ['quotes', `"${CREDIT}","UNITS"\r\n"${ACCOUNT}",OTHERS\r\n\r\n`],
    ['semicolons and empty cells', `endpoint;unidades;\n${CREDIT};UNITS;\n${ACCOUNT};OTHERS.00;\n;;\n`],
  ])('reads a statement as a spreadsheet saves it, with %s', async (_, text) => {
    const units = text.replace('UNITS', String(unitsOf(CREDIT))).replace('OTHERS', String(unitsOf(ACCOUNT)));
    const { code, output } = await reconcile(units);
    expect(output).toContain('The statement agrees with the ledger.\n');
    expect(code).toBe(0);
  });

  it.each([
    ['subtotal', '1,204'],
    ['/api/infonavit/grupo/buscar-credito', '3'],
    [CREDIT, '1,20'],
    [CREDIT, '-3'],
    [CREDIT, '3.5'],
  ])('rejects a line that is not an endpoint with its units: %s,%s', async (endpoint, units) => {
    const { code, text } = await reconcile({ [ACCOUNT]: 1, [endpoint]: units });
    expect(text).toContain(`line 2: \`${endpoint},${units}\` is not an endpoint`);
    expect(code).toBe(2);
  });

  it.each([
    `Endpoint,Importe MXN\n${CREDIT},3\n`,
    `servicio;MONTO\n${CREDIT};3\n`,
    `Endpoint,Pesos\n${CREDIT},3\n`,
    `Endpoint,Total ($)\n${CREDIT},3\n`,
    `Endpoint,Amount\n${CREDIT},3\n`,
    `${CREDIT},3\nTotal MXN,3\n`,
  ])('rejects a statement of money instead of units: %j', async (statement) => {
    const run = await reconcile(statement);
    expect([run.code, run.output]).toEqual([2, '']);
    expect(run.text).toMatch(
      /line [12]: `[^`]+` names money\. padron compares units, not pesos\. Keep only the column with the units of each endpoint\.\n$/,
    );
  });

  it.each([
    [`${CREDIT};5.000`, '5000'],
    [`${CREDIT};0,005`, '5'],
    [`${CREDIT},1.204.000`, '1204000'],
    [`TOTAL;5.000`, '5000'],
  ])('rejects a number whose separator is ambiguous, and quotes the line as it is: %s', async (line, remedy) => {
    const { code, text } = await reconcile(`${ACCOUNT};1\n\n${line}\n`);
    expect(text).toContain(
      `line 3: \`${line}\` has an ambiguous number. Write the units without a separator, for example ${remedy}.`,
    );
    expect(code).toBe(2);
  });

  it('ignores a total that is the sum of the other lines, and rejects any other', async () => {
    const sum = unitsOf(CREDIT) + unitsOf(ACCOUNT);
    const withTotal = (total: number) =>
      reconcile(`${CREDIT};${unitsOf(CREDIT)}\n${ACCOUNT};${unitsOf(ACCOUNT)}\nTOTAL;${total}\n`);
    const { code, output } = await withTotal(sum);
    expect(output).toContain('\nLine 3 of the statement is the sum of the other lines, and is ignored.\n');
    expect(output).toContain('The statement agrees with the ledger.\n');
    expect(code).toBe(0);
    expect(await withTotal(sum + 1)).toMatchObject({
      code: 2,
      output: '',
      text: expect.stringContaining(`line 3: \`TOTAL;${sum + 1}\` is not the sum of the other lines, which is ${sum}.`),
    });
  });

  it('exits with 2 for invalid arguments or an unreadable statement, and with 4 if padron cannot be reached', async () => {
    const file = statementOf({ [CREDIT]: 1 });
    const run = (...args: readonly string[]) => padronCommand(['reconcile', ...args, '--url', padron.url]);
    const refused = (text: string) => ({ code: 2, output: '', text: expect.stringContaining(text) });
    expect(await run(file)).toMatchObject(refused('--from and --to'));
    expect(await run(file, '--from', '2026-02-30', '--to', '2026-03-01')).toMatchObject(
      refused('--from must be a day'),
    );
    const backwards = await run(file, '--from', '2026-03-01', '--to', '2026-02-01');
    expect(backwards).toMatchObject(refused('--from must be before --to'));
    expect(await run(`${file}.none`, ...interval)).toMatchObject(refused('Check the path'));
    const words = await reconcile({ [CREDIT]: 'many' });
    expect(words).toMatchObject(refused(`line 1: \`${CREDIT},many\``));
    // What is wrong with a statement takes one line, and the help explains no statement.
    expect(words.text.trim().split('\n')).toHaveLength(1);
    const away = await padronCommand(['reconcile', file, ...interval, '--url', 'http://127.0.0.1:9/graphql']);
    expect(away).toMatchObject({ code: 4, output: '' });
  });
});

describe('the command `padron reconcile` with a price of a unit', () => {
  const padron = ledgerPadronForTests(engineRig(), { UNIT_PRICE: '1.20' });

  it('reports the totals and the differences in pesos', async () => {
    await padron.ask(`{ person(nss: "${person.nss}") { credit { outcome } } }`);
    const args = ['reconcile', statementOf({ [CREDIT]: 1_204 }), ...interval, '--url', padron.url];
    const { code, output } = await builtCommand(args);
    expect(output).toMatch(
      /^POST \S+ +1,204 +1 +0 {2}DIFFERS: 1,203 units \(1,443\.60 MXN\) charged, not in the ledger$/m,
    );
    expect(output).toMatch(/^total in MXN +1,444\.80 +1\.20 +0\.00$/m);
    expect(code).toBe(1);
  });

  it('reports the same in Spanish with --language es, also what is wrong with the statement', async () => {
    const spanish = (units: Units) =>
      padronCommand(['reconcile', statementOf(units), ...interval, '--url', padron.url, '--language', 'es']);
    const { code, output } = await spanish({ [CREDIT]: 1_204, TOTAL: 1_204 });
    expect(output).toMatch(/^endpoint +estado de cuenta +libro +por aclarar +resultado$/m);
    expect(output).toMatch(/ DIFIERE: 1,203 unidades \(1,443\.60 MXN\) cobradas que no están en el libro$/m);
    expect(output).toContain(
      '\nLa línea 2 del estado de cuenta es la suma de las demás y no se toma en cuenta.\nEl estado de cuenta NO COINCIDE con el libro.\n',
    );
    expect(code).toBe(1);
    expect(await spanish({ [CREDIT]: '5.000' })).toMatchObject({
      code: 2,
      text: expect.stringContaining(`línea 1: \`${CREDIT},5.000\` tiene un número ambiguo.`),
    });
  });
});

describe('the command `padron reconcile` with a token that lacks a scope', () => {
  const rig = engineRig();
  const secret = 'a-secret-shared-with-the-identity-provider';
  const tokenOf = (claims: Claims): string => signedBySecret(secret, claims);
  const padron = ledgerPadronForTests(rig, { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret });
  let units = 0;
  beforeAll(async () => {
    const authorization = `Bearer ${tokenOf({ client_id: 'hr', scope: 'use_buscar_credito' })}`;
    await padron.ask(`{ person(nss: "${card('html', 'nss')}") { credit { outcome } } }`, {}, { authorization });
    units = padron.callsInFull().reduce((sum, call) => sum + call.units, 0);
  });

  it.each([
    [[], 'en', 'Only the calls of the client `hr` were compared, because the token lacks the scope `padron_ledger`.'],
    [
      ['--settle', 'any'],
      'es',
      'Solo se comparó lo del cliente `hr`, porque el token no tiene el permiso `padron_ledger`.',
    ],
  ])(
    'exits with 2, reports no difference and settles nothing if only one client was compared: %j, %s',
    async (options, language, reason) => {
      const token = tokenOf({ client_id: 'hr', scope: 'padron_ledger_settle' });
      const spend = () => padron.ask(sums, {}, { authorization: `Bearer ${tokenOf({ scope: 'padron_ledger' })}` });
      const before = await spend();
      for (const statement of [{ [CREDIT]: 100 }, { [CREDIT]: units }]) {
        const args = ['reconcile', statementOf(statement), ...interval, '--url', padron.url, '--language', language];
        const { code, output } = await padronCommand([...args, ...options], { PADRON_TOKEN: token });
        expect(output).toContain(`\n${reason}`);
        expect(output).not.toMatch(/DIFFERS|DIFIERE|agrees|coincide|NO COINCIDE|[Ss]ettled:|concili[óa]/);
        expect(code).toBe(2);
      }
      expect((await spend()).data).toEqual(before.data);
    },
  );

  it.each([
    ['padron_ledger_settle', 'padron_ledger'],
    ['padron_ledger', 'padron_ledger_settle'],
  ])('exits with 4 and an error that names the scope, and prints no result: %s', async (lacking, scope) => {
    const args = ['reconcile', statementOf({ [CREDIT]: units }), ...interval, '--url', padron.url, '--settle'];
    expect(await padronCommand(args, { PADRON_TOKEN: tokenOf({ scope }) })).toMatchObject({
      code: 4,
      output: '',
      text: expect.stringMatching(new RegExp(`^The caller lacks the scope \`${lacking}\`[^\n]*\n`)),
    });
    expect(await padronCommand([...args, '--language', 'es'], { PADRON_TOKEN: tokenOf({ scope }) })).toMatchObject({
      code: 4,
      text: `El token no tiene permiso para esto. Use uno con el permiso \`${lacking}\`.\n`,
    });
  });
});

describe('the command `padron reconcile` beside a contract that the price list does not have', () => {
  const rig = engineRig();
  const [first = '', second = ''] = people.filter(({ credit }) => credit !== null).map(({ nss }) => nss);
  const missing = unusedNss;
  const bad = card('bad-request', 'nss');

  /** Asks for two records, nothing and a rejection, and returns what the command says about the statement of the service. */
  async function reconcileWith(contract: Contract, asked = [first, second, missing, bad]) {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start({ sandbox: chargingBy({ [CREDIT]: contract }) });
    for (const nss of asked) await padron.ask(`{ person(nss: "${nss}") { credit { outcome } } }`);
    const result = await padronCommand([
      ...['reconcile', statementOf({ [CREDIT]: padron.spent() })],
      ...[...interval, '--url', padron.url],
    ]);
    await padron.stop();
    return result;
  }

  const answered = ['FOUND', 'NOT_FOUND'] as const;
  it.each<[string, Contract, string]>([
    ['another price', { units: 4, charged: answered }, '"findCredit": {"units":4,"charged":["FOUND","NOT_FOUND"]}'],
    [
      'free answers without a record',
      { units: 1, charged: ['FOUND'] },
      '"findCredit": {"units":1,"charged":["FOUND"]}',
    ],
    [
      'charged rejections',
      { units: 1, charged: [...answered, 'INVALID_INPUT'] },
      '"findCredit": {"units":1,"charged":["FOUND","NOT_FOUND","INVALID_INPUT"]}',
    ],
  ])('names the line that explains %s', async (_, contract, line) => {
    const { code, output } = await reconcileWith(contract);
    expect(output).toContain(`one line in the price list (PRICE_LIST) would explain the difference:\n  ${line}\n`);
    expect(code).toBe(1);
  });

  it('names none if two lines would explain the difference', async () => {
    const { output } = await reconcileWith({ units: 1, charged: ['FOUND'] }, [first, missing]);
    expect(output).toContain('DIFFERS: 1 unit in the ledger, not charged');
    expect(output).not.toContain('PRICE_LIST');
  });
});
