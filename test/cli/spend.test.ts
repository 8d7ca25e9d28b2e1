import { people } from '../../src/extensions/sandbox/data/people';
import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { builtCommand, padronCommand } from '../support/processes/padron-command';
import { engineRig } from '../support/stores/engines';

/** People with a credit. Each call asks about another one, so that none is shared. */
const indebted = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
/** Half an hour before November begins in Mexico City. In UTC it is November already. */
const lateOctober = new Date('2026-11-01T05:30:00Z');
const november = new Date('2026-11-01T06:30:00Z');

describe('the command `padron spend`', () => {
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
  const spend = (...args: readonly string[]) => padronCommand(argumentsOf(args));

  it('prints an aligned table with a total', async () => {
    const { code, output } = await builtCommand(argumentsOf(['--by', 'month,client']));
    const lines = output.trimEnd().split('\n');
    expect(lines[0]).toBe('month    client   calls  units charged  units unknown  units saved');
    expect([...lines.slice(1, -1)].sort()).toEqual([
      '2026-10  payroll      1              1              0            0',
      '2026-11  (none)       1              1              0            0',
      '2026-11  =cmd         1              1              0            0',
    ]);
    expect(lines.at(-1)).toBe('total                 3              3              0            0');
    expect(code).toBe(0);
  });

  it('prints CSV in which no cell is a formula', async () => {
    const { code, output } = await spend('--by', 'client,month', '--csv');
    const [headings, ...rows] = output.trimEnd().split('\n');
    expect(headings).toBe('\uFEFFclient,month,calls,units,uncertain_units,saved_units');
    expect(rows.sort()).toEqual(["'=cmd,2026-11,1,1,0,0", ',2026-11,1,1,0,0', 'payroll,2026-10,1,1,0,0']);
    expect(code).toBe(0);
    const byPurpose = (await spend('--by', 'purpose', '--csv', '--language', 'es')).output.trimEnd().split('\n');
    expect([byPurpose[0]?.split(',')[0], byPurpose.slice(1).sort()]).toEqual([
      '\uFEFFfinalidad',
      [',2,2,0,0', 'hiring,1,1,0,0'],
    ]);
  });

  it('begins a day at midnight in the time zone of the server', async () => {
    const csv = async (...args: readonly string[]) =>
      (await spend('--by', 'day', '--csv', ...args)).output.split('\n')[1];
    expect(await csv('--from', '2026-11-01')).toBe('2026-11-01,2,2,0,0');
    expect(await csv('--to', '2026-11-01')).toBe('2026-10-31,1,1,0,0');
    expect(await csv('--from', '2026-11-01T06:00:00Z', '--to', '2026-11-02')).toBe('2026-11-01,2,2,0,0');
  });

  it('prints both in Spanish with --language es, and what padron rejects', async () => {
    const [headings, ...rows] = (await spend('--by', 'month,client', '--language', 'es')).output.trimEnd().split('\n');
    expect(headings).toBe(
      'mes      cliente     consultas  unidades cobradas  unidades por aclarar  unidades ahorradas',
    );
    expect(rows.map((row) => row.split(/ {2,}/)[1]).sort()).toEqual(['(sin dato)', '3', '=cmd', 'payroll']);
    const csv = await spend('--by', 'month', '--csv', '--language', 'es');
    expect(csv.output.split('\n')[0]).toBe('\uFEFFmes,consultas,unidades,unidades por aclarar,unidades ahorradas');
    const args = ['spend', '--by', 'day', '--url', padron.url, '--language', 'es'];
    const noToken = await padronCommand(args, { PADRON_TOKEN: '' });
    expect(noToken).toMatchObject({ code: 4, text: expect.stringContaining('Falta el token o no es válido.') });
    expect(await spend('--by', 'day', '--language', 'fr')).toMatchObject({
      code: 2,
      text: expect.stringContaining('--language must be `en` or `es`.'),
    });
  });

  it('exits with 2 for invalid arguments, and with 4 if padron rejects the request', async () => {
    expect(await spend()).toMatchObject({ code: 2, output: '', text: expect.stringContaining('--by must have') });
    expect((await spend('--by', 'person')).code).toBe(2);
    expect((await spend('--by', 'day,month,client,tag,batch')).code).toBe(2);
    expect((await spend('--by', 'day', '--from', 'november')).code).toBe(2);
    expect(await spend('--by', 'day', '--to', '2026-11-01T00:00:00')).toMatchObject({ code: 4, output: '' });
    const noToken = await padronCommand(['spend', '--by', 'day', '--url', padron.url], { PADRON_TOKEN: '' });
    expect(noToken).toMatchObject({ code: 4, text: expect.stringContaining('token') });
  });
});

describe('the command `padron spend` with a price of a unit', () => {
  const padron = ledgerPadronForTests(engineRig(), { UNIT_PRICE: '433.1' });
  beforeAll(async () => {
    for (const [index, client] of ['hr', 'payroll', 'payroll', 'payroll'].entries())
      await padron.ask(`{ person(nss: "${indebted[index]}") { credit { outcome } } }`, {}, { 'x-client-name': client });
  });

  it('has exact amounts in pesos beside the units', async () => {
    const spend = (...args: readonly string[]) =>
      padronCommand(['spend', '--by', 'client', '--url', padron.url, ...args]);
    expect((await spend()).output.split('\n')).toEqual([
      'client   calls  units charged  units unknown  units saved  MXN charged  MXN unknown  MXN saved',
      'hr           1              1              0            0       433.10         0.00       0.00',
      'payroll      3              3              0            0     1,299.30         0.00       0.00',
      'total        4              4              0            0     1,732.40         0.00       0.00',
      '',
    ]);
    expect((await spend('--csv')).output.split('\n')).toEqual([
      '\uFEFFclient,calls,units,uncertain_units,saved_units,amount,uncertain_amount,saved_amount',
      'hr,1,1,0,0,433.10,0.00,0.00',
      'payroll,3,3,0,0,1299.30,0.00,0.00',
      '',
    ]);
  });
});
