import { parse } from 'csv-parse/sync';
import type { Language } from '../../../../src/identifiers/text';
import type { LedgerEntry } from '../../../../src/money/ledger/entries/ledger-api';
import { CsvExport, type CsvSettings, csvFormat } from '../../../../src/money/ledger/reading/csv-export';
import { LedgerReader } from '../../../../src/money/ledger/reading/ledger-reader';
import { KeyRing } from '../../../../src/store/key-ring';
import { SealedLinks } from '../../../../src/store/sealed-box';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { everything, hashSubject, openReference, viewOf } from '../entries/ledger-rows';

const entry: LedgerEntry = {
  id: '01',
  at: new Date('2026-02-01T12:00:00Z'),
  client: null,
  tag: null,
  purpose: null,
  references: [],
  operation: null,
  requestId: null,
  batch: null,
  outcome: 'FOUND',
  problem: null,
  evidence: {
    validationCode: null,
    endpoint: 'POST /api/x',
    status: 200,
    message: null,
    checkedAt: null,
    servedFrom: 'LIVE',
    units: 1,
    billing: 'CHARGED',
    ledgerId: '01',
    age: null,
  },
  units: 1,
  uncertainUnits: 0,
  savedUnits: 0,
  saving: null,
  settlement: null,
  blocked: null,
};

const rowsOf = (csv: string): readonly Readonly<Record<string, string>>[] => parse(csv, { columns: true, bom: true });

const settings: CsvSettings = { timeZone: 'America/Mexico_City', unitPrice: null };

/** Returns the row of an entry in a file with these settings. */
function rowOf(
  row: LedgerEntry,
  changed: Partial<CsvSettings> = {},
  language: Language = 'en',
): Readonly<Record<string, string>> {
  const { head, lines } = csvFormat({ ...settings, ...changed }, language);
  return rowsOf(head + lines([row]))[0] ?? {};
}

describe('a line of the CSV file', () => {
  it.each(['=1+1', '+1', '-A1', '@SUM(A1)', '\t=1', ' =1', '＝1', '－1', '=HYPERLINK("http://x","y")'])(
    'prefixes a formula with an apostrophe: %j',
    (client) => {
      expect(rowOf({ ...entry, client }).client).toBe(`'${client}`);
    },
  );

  it('prefixes a formula after a semicolon, at which some spreadsheets split', () => {
    const settlement = {
      billing: 'CHARGED',
      units: 1,
      at: new Date('2026-03-01T00:00:00Z'),
      note: 'see;=1+1',
    } as const;
    expect(rowOf({ ...entry, settlement })).toMatchObject({ settled_note: "see;'=1+1" });
  });

  it.each(['a,b', 'a"b', 'a;b', 'a\nb', 'ñandú', "it's", 'a=b', ''])('keeps other text unchanged: %j', (tag) => {
    expect(rowOf({ ...entry, tag })).toMatchObject({ tag, id: '01', units: '1', settled_note: '' });
  });

  it('has the units of the settlement if the call is settled', () => {
    const settlement = { billing: 'CHARGED', units: 2, at: new Date('2026-03-01T00:00:00Z'), note: 'line 3' } as const;
    const evidence = { ...entry.evidence, units: 0, billing: 'UNKNOWN' } as const;
    expect(rowOf({ ...entry, units: 2, evidence, settlement })).toMatchObject({
      billing: 'UNKNOWN',
      units: '2',
      uncertain_units: '0',
      settled_billing: 'CHARGED',
      settled_at: '2026-02-28T18:00:00.000-06:00',
    });
  });

  it.each([
    ['America/Mexico_City', '2026-01-31', '2026-01-31T23:59:59.999-06:00'],
    ['America/Tijuana', '2026-01-31', '2026-01-31T21:59:59.999-08:00'],
    ['Asia/Kolkata', '2026-02-01', '2026-02-01T11:29:59.999+05:30'],
    ['UTC', '2026-02-01', '2026-02-01T05:59:59.999+00:00'],
  ])('has the day and the time of TIME_ZONE: %s', (timeZone, day, localTime) => {
    const moment = new Date('2026-02-01T05:59:59.999Z');
    expect(rowOf({ ...entry, at: moment }, { timeZone })).toMatchObject({ day, at: localTime });
    expect(new Date(localTime)).toEqual(moment);
  });

  it('distinguishes the two hours of a clock change by their offsets', () => {
    const timeOf = (moment: string) => rowOf({ ...entry, at: new Date(moment) }, { timeZone: 'America/Tijuana' }).at;
    expect([timeOf('2026-11-01T08:30:00Z'), timeOf('2026-11-01T09:30:00Z')]).toEqual([
      '2026-11-01T01:30:00.000-07:00',
      '2026-11-01T01:30:00.000-08:00',
    ]);
  });

  it('has Spanish headings and words on request, and keeps codes, numbers and texts', () => {
    const settlement = {
      billing: 'NOT_CHARGED',
      units: 0,
      at: new Date('2026-03-01T00:00:00Z'),
      note: 'UNKNOWN',
    } as const;
    const evidence = { ...entry.evidence, billing: 'UNKNOWN', servedFrom: 'LIVE' } as const;
    const row = rowOf(
      { ...entry, problem: 'ANSWER_LOST', client: 'LIVE', evidence, settlement },
      { unitPrice: '1' },
      'es',
    );
    expect(Object.keys(row)).toHaveLength(Object.keys(rowOf(entry, { unitPrice: '1' })).length);
    expect(row).toMatchObject({
      asiento: '01',
      cliente: 'LIVE',
      resultado: 'Encontrado',
      problema: 'ANSWER_LOST',
      origen: 'Consulta nueva',
      cobro: 'Por aclarar',
      unidades: '1',
      'unidades por aclarar': '0',
      'cobro conciliado': 'No cobrado',
      'nota de conciliación': 'UNKNOWN',
      importe: '1.00',
    });
  });

  it('ends with exact amounts in pesos if a unit has a price, and otherwise has no amounts', () => {
    const uncertain = { ...entry, units: 0, uncertainUnits: 2, savedUnits: 1 };
    const amounts = { amount: '0.00', uncertain_amount: '2.40', saved_amount: '1.20' };
    expect(rowOf(uncertain, { unitPrice: '1.2' })).toMatchObject(amounts);
    expect(rowOf({ ...entry, units: 3 }, { unitPrice: '1.20' })).toMatchObject({ units: '3', amount: '3.60' });
    expect(csvFormat({ ...settings, unitPrice: '1' }, 'en').head).toMatch(/,amount,uncertain_amount,saved_amount\r\n$/);
    expect(csvFormat(settings, 'en').head).not.toContain('amount');
  });
});

describe.each(engines)('the CSV file of a link on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  const now = () => new Date('2026-03-01T12:00:00Z');
  const links = new SealedLinks(new KeyRing(['secret']), now);
  const subjects = { hashes: hashSubject, openReference, missingKeys: async () => [] };
  const shared = { store, subjects, links, flush: async () => undefined, now };
  const csvExport = new CsvExport({ ...settings, ...shared });
  const reader = new LedgerReader({
    ...shared,
    erase: async () => 0,
    timeZone: 'UTC',
  });
  const read = async (link: string): Promise<readonly string[]> => {
    const file = await csvExport.open(link, 'en');
    if ('refusal' in file) return [file.refusal];
    let text = '';
    for await (const chunk of file.chunks) text += chunk;
    return rowsOf(text).map(({ id = '' }) => id);
  };
  const linkOf = (...query: Parameters<LedgerReader['csvLink']>): string =>
    reader.csvLink(...query).replace('/graphql/ledger.csv?link=', '');

  it('rejects a changed or invented link', async () => {
    const link = linkOf(viewOf('a'), { filter: everything });
    const bytes = Buffer.from(link, 'base64url');
    for (let index = 0; index < bytes.length; index += 7) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(await read(changed.toString('base64url'))).toEqual(['unknown link']);
    }
    for (const invalid of ['', 'x', `${link}A`, `${link}=`, link.slice(0, -4), '../../etc/passwd'])
      expect(await read(invalid)).toEqual(['unknown link']);
  });

  it('has a link that does not reveal its account or filter', () => {
    const query = { filter: { ...everything, client: 'planted-client', tag: 'planted-tag' } };
    const link = linkOf(viewOf('planted-account'), query);
    expect(Buffer.from(link, 'base64url').toString('latin1')).not.toContain('planted');
  });

  it('is written in chunks, and refused for more than 100,000 entries', async () => {
    await store.query(
      `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
       SELECT lpad('' || n, 8, '0'), now(), 'many', 'p', 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE' FROM generate_series(1, 2500) n`,
    );
    const file = await csvExport.open(linkOf(viewOf('many'), { filter: everything }), 'en');
    if ('refusal' in file) throw new Error(file.refusal);
    const chunks: string[] = [];
    for await (const chunk of file.chunks) chunks.push(chunk);
    expect(chunks).toHaveLength(4);
    const ids = rowsOf(chunks.join('')).map(({ id }) => id);
    expect([ids.length, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([2_500, 2_500, '00002500', '00000001']);
    await store.query(
      `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
       SELECT 'X' || n, now(), 'many', 'p', 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE' FROM generate_series(1, 97501) n`,
    );
    expect(await read(linkOf(viewOf('many'), { filter: everything }))).toEqual(['too many entries']);
  });
});
