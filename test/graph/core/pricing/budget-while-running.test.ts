import { type Answer, type Billing, notSent, type Outcome } from '../../../../src/registry/answer/answer';
import { UnitMeter } from '../../../../src/registry/questions/unit-meter';
import { DOWNLOAD, LIST, payer } from '../../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import type { Tamper } from '../../../support/proxies/tampering-proxy';
import { askPriced, type PricedAnswer, priceOf } from '../../../support/requests/money';

const padron = proxiedPadronForTests();

const files = 'records { files { outcome problems { code } evidence { servedFrom units billing } } }';
const oneMonth = `{ employer(registration: "${payer.registration}") { a: receipts(period: "2025-01") { outcome ${files} } } }`;
const twoMonths = `{ employer(registration: "${payer.registration}") {
  a: receipts(period: "2025-01") { outcome ${files} } b: receipts(period: "2025-02") { outcome ${files} } } }`;

const isList = (path: string): boolean => path === LIST.replace('POST ', '');

interface Body {
  readonly params: { readonly periodo: string };
  readonly comprobantes: readonly object[];
}

/** A month of fifteen receipts: more than the price reckons with. */
function fifteen(json: unknown): { readonly json: object } {
  const body = json as Body;
  const receipt = (index: number) => ({ ...body.comprobantes[0], folio_sua: String(500 + index) });
  return { json: { ...body, comprobantes: Array.from({ length: 15 }, (_, index) => receipt(index)) } };
}

/** The files of any folio, as the service would give them. */
const someFiles = { status: 200, json: { ok: true, files: { pdf: null, xml: null } } };

const monthsOfFifteen: Tamper = ({ json }, { path }) => (isList(path) ? fifteen(json) : someFiles);

type Month = 'a' | 'b';
const filesOf = ({ data }: PricedAnswer, month: Month = 'a') =>
  data.employer[month].records.map((record: { readonly files: unknown }) => record.files);
const refused = {
  outcome: 'NOT_RUN',
  problems: [{ code: 'UNIT_BUDGET_EXCEEDED' }],
  evidence: { servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
};
const countOf = (lookups: readonly { readonly outcome: string }[], outcome: string): number =>
  lookups.filter((lookup) => lookup.outcome === outcome).length;

describe('an operation whose cost was not known before', () => {
  it('stops at the budget, keeps the answers, and cannot overspend even if all calls are made concurrently', async () => {
    padron.proxy.tamper(monthsOfFifteen);
    const { estimatedUnits, atMost, bounded } = await priceOf(padron, { query: oneMonth });
    expect([estimatedUnits, atMost, bounded]).toEqual([3, null, false]);
    const answer = await askPriced(padron, { query: oneMonth }, { 'x-max-units': '11' });
    expect(answer.errors).toBeUndefined();
    const lookups = filesOf(answer);
    expect(answer.data.employer.a.outcome).toBe('FOUND');
    expect(countOf(lookups, 'FOUND')).toBe(10);
    expect(lookups.slice(10)).toEqual(Array.from({ length: 5 }, () => refused));
    expect(answer.units).toMatchObject({ spent: 11, uncertain: 0 });
    expect(padron.calls().filter((call) => call === DOWNLOAD)).toHaveLength(10);
  });

  it('continues without a budget', async () => {
    padron.proxy.tamper(monthsOfFifteen);
    const answer = await askPriced(padron, { query: oneMonth });
    expect(countOf(filesOf(answer), 'FOUND')).toBe(15);
    expect(answer.units?.spent).toBe(16);
  });

  it('keeps the units of calls reserved whose billing is unknown', async () => {
    // The second month is answered after the files of the first have ended, so their possible cost is already counted.
    let downloads = 0;
    let over = (): void => {};
    const firstIsOver = new Promise<void>((resolve) => {
      over = resolve;
    });
    padron.proxy.tamper(async ({ json }, { path }) => {
      if (isList(path)) {
        if ((json as Body).params.periodo === '202502') await firstIsOver;
        return fifteen(json);
      }
      downloads += 1;
      if (downloads === 15) setTimeout(over, 50);
      return { status: 404, bytes: Buffer.from('<h1>Not here</h1>') };
    });
    const answer = await askPriced(padron, { query: twoMonths }, { 'x-max-units': '22' });
    expect(countOf(filesOf(answer, 'a'), 'UNAVAILABLE')).toBe(15);
    expect(countOf(filesOf(answer, 'b'), 'UNAVAILABLE')).toBe(5);
    expect(filesOf(answer, 'b').slice(5)).toEqual(Array.from({ length: 10 }, () => refused));
    expect(answer.units).toMatchObject({ spent: 2, uncertain: 20 });
    expect(downloads).toBe(20);
  });
});

describe('reserving units', () => {
  const settled = (billing: Billing, outcome: Outcome, units = 0): Answer<unknown> => ({
    outcome,
    payload: null,
    problems: [],
    bytes: 0,
    evidence: { ...notSent('POST /test'), servedFrom: 'LIVE', billing, units },
  });

  it('reserves the price when a call is sent', () => {
    const units = new UnitMeter(3);
    expect([units.reserve(2), units.reserve(2), units.reserve(1), units.reserve(1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([units.spent, units.uncertain]).toEqual([0, 0]);
  });

  it.each<[string, Answer<unknown>, boolean]>([
    ['the units that were charged', settled('CHARGED', 'FOUND', 1), false],
    ['the units that may have been charged', settled('UNKNOWN', 'UNAVAILABLE'), false],
    ['nothing, when the call cost nothing', settled('NOT_CHARGED', 'INVALID_INPUT'), true],
  ])('keeps %s', (_what, answer, free) => {
    const units = new UnitMeter(1);
    units.reserve(1);
    units.recordCall(1, answer, 5);
    expect(units.reserve(1)).toBe(free);
  });

  it('releases the units of a rejected call', () => {
    const units = new UnitMeter(1);
    units.reserve(1);
    units.recordUnauthenticated(1, 'POST /test', 5);
    expect(units.reserve(1)).toBe(true);
    const amounts = { units: 0, uncertain: 0 };
    expect(units.calls).toEqual([
      { path: [], endpoint: 'POST /test', outcome: 'UNAUTHENTICATED', ...amounts, servedFrom: 'LIVE', at: 0, ms: 5 },
    ]);
  });

  it('never rejects a call without a budget', () => {
    const units = new UnitMeter(null);
    expect(units.reserve(1_000_000)).toBe(true);
  });
});
