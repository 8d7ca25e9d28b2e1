import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { people } from '../../src/extensions/sandbox/data/people';
import { eventExamples } from '../../src/money/ledger/events/event-store';
import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { WEBHOOK_SECRET } from '../support/padrons/webhooks';
import { freePort } from '../support/processes/free-port';
import { builtCommand, padronCommand } from '../support/processes/padron-command';
import { watchProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { startServer } from '../support/start-server';
import { engineRig } from '../support/stores/engines';

const names = ['start', 'check', 'migrate', 'trigger', 'price', 'prices', 'batch', 'verify', 'spend', 'reconcile'];

describe('the commands of padron', () => {
  it.each([[[]], [['--help']]])('are listed with one line each for %j', async (args) => {
    const { code, output, text } = await builtCommand(args);
    expect([code, text]).toEqual([0, '']);
    expect([...output.matchAll(/^ {2}(\w+) +\w.{20,}$/gm)].map(([, name]) => name)).toEqual(names);
  });

  it.each(['chek', '-V', 'toString'])('are named in one line of help if %s is given instead of one', async (name) => {
    expect(await padronCommand([name])).toEqual({
      code: 2,
      output: '',
      text: `\`${name}\` is not a command.\n\`padron --help\` lists the commands.\n`,
    });
  });

  it.each([
    ['check', '--jsn'],
    ['migrate', '--force'],
    ['trigger', 'batch.don'],
    ['price', '--max-units', 'x'],
    ['batch', 'a.csv'],
    ['spend', '--by', 'week'],
    ['reconcile', '--settle'],
  ])('name the error and where the help is, in two lines: %s %s', async (name, ...args) => {
    const { code, output, text } = await padronCommand([name, ...args]);
    expect([code, output]).toEqual([2, '']);
    expect(text).toMatch(new RegExp(`^[^\n]+\n\`padron ${name} --help\` lists the arguments\\.\n$`));
  });

  it('are of a version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(await builtCommand(['--version'])).toMatchObject({ code: 0, output: `${version}\n` });
  });

  it.each(names)('explain themselves: %s --help', async (name) => {
    const { code, output } = await padronCommand([name, '--help']);
    expect([code, output]).toEqual([0, expect.stringMatching(`^padron ${name}`)]);
  });

  it('refuse arguments of start, whose settings are in the environment', async () => {
    const { code, text } = await builtCommand(['start', '--port', '4310']);
    expect([code, text]).toEqual([2, expect.stringContaining('`start` has no arguments.')]);
  });
});

const types = Object.keys(eventExamples);

/** Returns the types in the statements that add events. That of a batch is its state. */
function addedTypes(): ReadonlySet<string> {
  const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|sql)$/.test(file))
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .filter((text) => /INSERT INTO ledger_events|PERFORM ledger_add_event/.test(text));
  const named = texts.flatMap((text) => [...text.matchAll(/'([a-z]+\.[a-z]+)'(?!:)/g)].map(([, type = '']) => type));
  const trigger = texts.flatMap((text) => /CREATE OR REPLACE TRIGGER batch_add_event[^;]+/.exec(text) ?? []).join();
  const states = [...trigger.matchAll(/NEW\.state = '(\w+)'/g)].map(([, state = '']) => `batch.${state.toLowerCase()}`);
  return new Set([...named, ...states]);
}

describe('the command `padron trigger`', () => {
  const trigger = (url: string, type: string) =>
    padronCommand(['trigger', type], { WEBHOOK_URL: url, WEBHOOK_SECRET: `${WEBHOOK_SECRET},${WEBHOOK_SECRET}` });

  it('knows every type of event that padron adds, and that the documents explain', async () => {
    expect(await padronCommand(['trigger'])).toMatchObject({ code: 0, output: `${types.join('\n')}\n` });
    expect(addedTypes()).toEqual(new Set(types));
    for (const page of ['docs/events.md', 'docs/es/events.md']) {
      const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type);
      expect(new Set(rows)).toEqual(new Set(types));
    }
  });

  it('sends each type to the documented receiver, which accepts it', async () => {
    const port = await freePort();
    const env = { PATH: process.env.PATH ?? '', PORT: `${port}`, WEBHOOK_SECRET };
    const receiver = watchProcess(spawn('python3', ['examples/webhooks/receiver.py'], { env }));
    const url = `http://127.0.0.1:${port}`;
    await waitUntil(async () => (await fetch(url, { method: 'POST' }).catch(() => null))?.status === 400);
    for (const type of types) {
      const { code, output } = await trigger(url, type);
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(/\nHTTP 204 after \d+ ms\nThe receiver accepts events\.\n$/),
      ]);
    }
    await receiver.stop();
    const events = receiver
      .standardOutput()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(events).toEqual(
      Object.entries(eventExamples).map(([type, data]) => ({ type, timestamp: expect.any(String), data, test: true })),
    );
  });

  it('prints the answer of a receiver that does not accept it, and what to do', async () => {
    const { url, close } = await startServer((_request, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end('line\n\u001b[31mline\n'.repeat(9)),
    );
    const { code, output } = await trigger(`${url}/hook?key=planted`, 'batch.done');
    expect([code, output.match(/line$/gm)?.length, output.includes('planted')]).toEqual([1, 10, false]);
    expect(output).toMatch(
      /\nHTTP 307 after \d+ ms\nline\n\\u001b\[31mline\n[\s\S]+The receiver must answer with 2xx\./,
    );
    await close();
    expect(await trigger(url, 'batch.done')).toMatchObject({ code: 4, text: expect.stringContaining('ECONNREFUSED') });
    const text = expect.stringContaining('Set WEBHOOK_URL and WEBHOOK_SECRET');
    expect(await padronCommand(['trigger', 'batch.done'])).toMatchObject({ code: 2, text });
  });
});

/** People with a credit. Each call asks about another one, so that none is shared. */
const indebted = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
/** Half an hour before November begins in Mexico City. In UTC it is November already. */
const lateOctober = new Date('2026-11-01T05:30:00Z');
const november = new Date('2026-11-01T06:30:00Z');

describe('the command `padron spendBy`', () => {
  const rig = engineRig();
  let now = lateOctober;
  const padron = ledgerPadronForTests(rig, { PURPOSES: 'hiring' }, { now: () => now });
  beforeAll(async () => {
    const ask = (index: number, headers: Readonly<Record<string, string>>) =>
      padron.ask(`{ person(nss: "${indebted[index]}") { credit { outcome } } }`, {}, headers);
    await ask(0, { 'x-client-name': 'payroll' });
    now = november;
    await ask(1, { 'x-client-name': '=cmd' });
    await ask(2, { 'x-purpose': 'hiring' });
  });
  beforeEach(() => void padron.calls());
  afterEach(() => expect(padron.calls()).toEqual([]));

  const argumentsOf = (args: readonly string[]) => ['spend', '--url', padron.url, ...args];
  const spendBy = (...args: readonly string[]) => padronCommand(argumentsOf(args));

  it('prints an aligned table with a total', async () => {
    const { code, output } = await builtCommand(argumentsOf(['--by', 'month,client']));
    const lines = output.trimEnd().split('\n');
    expect(lines[0]).toBe('month    client   calls  units charged  units unknown  units saved  refused');
    expect([...lines.slice(1, -1)].sort()).toEqual([
      '2026-10  payroll      1              1              0            0        0',
      '2026-11  (none)       1              1              0            0        0',
      '2026-11  =cmd         1              1              0            0        0',
    ]);
    expect(lines.at(-1)).toBe('total                 3              3              0            0        0');
    expect(code).toBe(0);
  });

  it('prints CSV in which no cell is a formula', async () => {
    const { code, output } = await spendBy('--by', 'client,month', '--csv');
    const [headings, ...rows] = output.trimEnd().split('\n');
    expect(headings).toBe('\uFEFFclient,month,calls,units,uncertain_units,saved_units,refused_calls');
    expect(rows.sort()).toEqual(["'=cmd,2026-11,1,1,0,0,0", ',2026-11,1,1,0,0,0', 'payroll,2026-10,1,1,0,0,0']);
    expect(code).toBe(0);
    const byPurpose = (await spendBy('--by', 'purpose', '--csv', '--language', 'es')).output.trimEnd().split('\n');
    expect([byPurpose[0]?.split(',')[0], byPurpose.slice(1).sort()]).toEqual([
      '\uFEFFfinalidad',
      [',2,2,0,0', 'hiring,1,1,0,0'],
    ]);
  });

  it('begins a day at midnight in the time zone of the server', async () => {
    const csv = async (...args: readonly string[]) =>
      (await spendBy('--by', 'day', '--csv', ...args)).output.split('\n')[1];
    expect(await csv('--from', '2026-11-01')).toBe('2026-11-01,2,2,0,0,0');
    expect(await csv('--to', '2026-11-01')).toBe('2026-10-31,1,1,0,0,0');
    expect(await csv('--from', '2026-11-01T06:00:00Z', '--to', '2026-11-02')).toBe('2026-11-01,2,2,0,0,0');
  });

  it('prints both in Spanish with --language es, and what padron rejects', async () => {
    const [headings, ...rows] = (await spendBy('--by', 'month,client', '--language', 'es')).output
      .trimEnd()
      .split('\n');
    expect(headings).toBe(
      'mes      cliente     consultas  unidades cobradas  unidades por aclarar  unidades ahorradas  rechazadas',
    );
    expect(rows.map((row) => row.split(/ {2,}/)[1]).sort()).toEqual(['(sin dato)', '3', '=cmd', 'payroll']);
    const csv = await spendBy('--by', 'month', '--csv', '--language', 'es');
    expect(csv.output.split('\n')[0]).toBe(
      '\uFEFFmes,consultas,unidades,unidades por aclarar,unidades ahorradas,consultas rechazadas',
    );
    const args = ['spend', '--by', 'day', '--url', padron.url, '--language', 'es'];
    const noToken = await padronCommand(args, { PADRON_TOKEN: '' });
    expect(noToken).toMatchObject({ code: 4, text: expect.stringContaining('Falta el token o no es válido.') });
    expect(await spendBy('--by', 'day', '--language', 'fr')).toMatchObject({
      code: 2,
      text: expect.stringContaining('--language must be `en` or `es`.'),
    });
  });

  it('exits with 2 for invalid arguments, and with 4 if padron rejects the request', async () => {
    expect(await spendBy()).toMatchObject({ code: 2, output: '', text: expect.stringContaining('--by must have') });
    expect((await spendBy('--by', 'person')).code).toBe(2);
    expect((await spendBy('--by', 'day,month,client,tag,batch')).code).toBe(2);
    expect((await spendBy('--by', 'day', '--from', 'november')).code).toBe(2);
    expect(await spendBy('--by', 'day', '--to', '2026-11-01T00:00:00')).toMatchObject({ code: 4, output: '' });
    const noToken = await padronCommand(['spend', '--by', 'day', '--url', padron.url], { PADRON_TOKEN: '' });
    expect(noToken).toMatchObject({ code: 4, text: expect.stringContaining('token') });
  });
});

describe('the command `padron spendBy` with a price of a unit', () => {
  const padron = ledgerPadronForTests(engineRig(), { UNIT_PRICE: '433.1' });
  beforeAll(async () => {
    for (const [index, client] of ['hr', 'payroll', 'payroll', 'payroll'].entries())
      await padron.ask(`{ person(nss: "${indebted[index]}") { credit { outcome } } }`, {}, { 'x-client-name': client });
  });

  it('has exact amounts in pesos beside the units', async () => {
    const spendBy = (...args: readonly string[]) =>
      padronCommand(['spend', '--by', 'client', '--url', padron.url, ...args]);
    expect((await spendBy()).output.split('\n')).toEqual([
      'client   calls  units charged  units unknown  units saved  MXN charged  MXN unknown  MXN saved  refused',
      'hr           1              1              0            0       433.10         0.00       0.00        0',
      'payroll      3              3              0            0     1,299.30         0.00       0.00        0',
      'total        4              4              0            0     1,732.40         0.00       0.00        0',
      '',
    ]);
    expect((await spendBy('--csv')).output.split('\n')).toEqual([
      '\uFEFFclient,calls,units,uncertain_units,saved_units,amount,uncertain_amount,saved_amount,refused_calls',
      'hr,1,1,0,0,433.10,0.00,0.00,0',
      'payroll,3,3,0,0,1299.30,0.00,0.00,0',
      '',
    ]);
  });
});
