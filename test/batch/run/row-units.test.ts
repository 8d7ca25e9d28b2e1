import { RowUnits } from '../../../src/batch/run/row-units';
import { type SharedAnswer, toShared } from '../../../src/money/answers/shared-answer';
import { type Answer, notSent } from '../../../src/registry/answer/answer';

const observer = { recordRow: () => undefined, recordUnits: () => undefined, setBatches: () => undefined };
/** An answer that was charged, or a failure that may have been. */
function answerOf(outcome: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE'): Answer<unknown> {
  const isKnown = outcome !== 'UNAVAILABLE';
  const cost = isKnown ? ({ units: 1, billing: 'CHARGED' } as const) : ({ units: 0, billing: 'UNKNOWN' } as const);
  const evidence = { ...notSent('POST /api/credit'), servedFrom: 'LIVE', ...cost } as const;
  return { outcome, payload: null, problems: [], bytes: 0, evidence };
}
const rowOf = (number: number, ceiling: number | null = null) => new RowUnits(`batch ${number}`, ceiling, observer);

/** Records a stored answer for a row, and returns what the row shows. */
function show(number: number, shared: SharedAnswer) {
  const row = rowOf(number);
  const { evidence } = row.recordShared(1, shared, 0, null);
  const { spent, savings, uncertain, hasUnknown, hasFailed } = row;
  const shown = [evidence.servedFrom, evidence.units];
  return { shown, spent, saved: savings.units, uncertain, hasUnknown, hasFailed, lookups: row.lookups.length };
}

describe('a stored answer of a batch', () => {
  it('shows its cost in the row that paid for it, also if that row runs again', () => {
    expect(show(1, toShared(answerOf('FOUND'), 'batch 1'))).toEqual({
      ...{ shown: ['LIVE', 1], spent: 1, saved: 0, uncertain: 0 },
      ...{ hasUnknown: false, hasFailed: false, lookups: 1 },
    });
  });

  it('is a replay in every other row', () => {
    const shown = show(2, toShared(answerOf('NOT_FOUND'), 'batch 1'));
    expect(shown).toMatchObject({ shown: ['REPLAY', 0], spent: 0, saved: 1, hasUnknown: false });
  });

  it('makes every row UNKNOWN if its billing is unknown, and adds its price to the row that asked', () => {
    const shared = toShared(answerOf('UNAVAILABLE'), 'batch 1');
    expect(show(1, shared)).toMatchObject({ shown: ['LIVE', 0], uncertain: 1, hasUnknown: true, hasFailed: true });
    expect(show(2, shared)).toMatchObject({ shown: ['REPLAY', 0], uncertain: 0, hasUnknown: true, hasFailed: true });
  });
});

it('is a replay in the row with the same number of another batch', () => {
  expect(show(1, toShared(answerOf('FOUND'), 'other 1'))).toMatchObject({ shown: ['REPLAY', 0], spent: 0, saved: 1 });
});

describe('the ceiling of a row', () => {
  it('counts running calls, charged calls, and calls whose billing is unknown', () => {
    const row = rowOf(1, 3);
    expect([row.reserve(2), row.reserve(2), row.reserve(1), row.canAfford(1)]).toEqual([true, false, true, false]);
    row.recordCall(2, answerOf('UNAVAILABLE'), 0, null);
    row.recordCall(1, answerOf('FOUND'), 0, null);
    expect([row.spent, row.uncertain, row.canAfford(1)]).toEqual([1, 2, false]);
  });

  it('gets back the price of a call that was not sent or whose token was rejected', () => {
    const row = rowOf(1, 1);
    expect(row.reserve(1)).toBe(true);
    row.release(1);
    expect(row.reserve(1)).toBe(true);
    row.recordUnauthenticated(1);
    expect([row.canAfford(1), row.lookups]).toEqual([true, []]);
  });
});
