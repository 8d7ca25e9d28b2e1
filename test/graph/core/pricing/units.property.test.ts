import fc from 'fast-check';
import type { Estimate } from '../../../../schema/client/price-of';
import type { UnitUsage } from '../../../../schema/client/units';
import { NOW } from '../../../support/operations/employer-graph';
import { answeredOperations, anyOperations, type Part } from '../../../support/operations/paid-operations';
import type { RunningPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { askPriced, nothingSpent, type PricedAnswer, priceOf } from '../../../support/requests/money';

const settings: fc.Parameters<unknown> = { seed: 20_261_120, numRuns: 75, endOnFailure: true };

/** One run of an operation: what it should cost, what padron says that it cost, and what the service took. */
interface Run {
  readonly estimate: Estimate;
  readonly answer: PricedAnswer;
  readonly units: UnitUsage;
  readonly ledger: number;
}

async function run(padron: RunningPadron, { text }: Part, withinEstimate: boolean): Promise<Run> {
  const estimate = await priceOf(padron, { query: text });
  const budget = withinEstimate ? { 'x-max-units': String(estimate.estimatedUnits) } : {};
  const before = padron.spent();
  const answer = await askPriced(padron, { query: text }, budget);
  expect(answer.errors).toBeUndefined();
  return { estimate, answer, units: answer.units ?? nothingSpent, ledger: padron.spent() - before };
}

interface Shown {
  readonly endpoint: string;
  readonly units: number;
}

/** Every `evidence` of an answer. */
function evidences(value: unknown): readonly Shown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === 'evidence' ? [inner as Shown] : evidences(inner)));
}

function unitsByEndpoint(entries: readonly Shown[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { endpoint, units } of entries) sums.set(endpoint, (sums.get(endpoint) ?? 0) + units);
  return sums;
}

const sumOf = (entries: readonly { readonly units: number }[]): number =>
  entries.reduce((sum, { units }) => sum + units, 0);

/** Asserts the rules of every operation, whatever the outcome of its questions. */
function expectBalancedUnits(
  { estimate, answer, units, ledger }: Run,
  { complete }: Part,
  withinEstimate: boolean,
): void {
  expect(answer.unitsSpent).toBe(String(units.spent));
  expect(sumOf(units.calls)).toBe(units.spent);
  expect(ledger).toBeGreaterThanOrEqual(units.spent);
  expect(ledger).toBeLessThanOrEqual(units.spent + units.uncertain);
  const shown = evidences(answer.data);
  const called = unitsByEndpoint(units.calls);
  for (const [endpoint, sum] of unitsByEndpoint(shown)) expect(sum).toBeLessThanOrEqual(called.get(endpoint) ?? 0);
  if (complete) expect(sumOf(shown)).toBe(units.spent);
  if (estimate.bounded) expect(estimate.estimatedUnits).toBeGreaterThanOrEqual(units.spent + units.uncertain);
  // A budget that covers the price stops nothing.
  if (estimate.bounded && withinEstimate) expect(JSON.stringify(answer.data)).not.toContain('UNIT_BUDGET_EXCEEDED');
}

describe.each([
  ['without replay', '0'],
  ['with replay', '3600'],
])('the units of an operation and the ledger of the service, %s', (_how, seconds) => {
  const padron = padronForTests({ environment: { REPLAY_SECONDS: seconds }, now: () => NOW });

  it('are equal if every call is answered, and equal to the estimate', async () => {
    let [direct, cheaper] = [0, 0];
    await fc.assert(
      fc.asyncProperty(answeredOperations, fc.boolean(), async (operation, withinEstimate) => {
        const result = await run(padron, operation, withinEstimate);
        expectBalancedUnits(result, operation, withinEstimate);
        expect([result.units.spent, result.units.uncertain]).toEqual([result.ledger, 0]);
        if (result.estimate.estimatedUnits > result.ledger) cheaper += 1;
        if (!operation.direct || seconds !== '0') return;
        direct += 1;
        expect([result.estimate.estimatedUnits, result.estimate.bounded]).toEqual([result.ledger, true]);
      }),
      settings,
    );
    // The generated operations are of both kinds.
    expect(cheaper).toBeGreaterThan(5);
    if (seconds === '0') expect(direct).toBeGreaterThan(5);
  });

  it('differ at most by the units that may have been charged if calls can fail', async () => {
    let [uncertain, overcharged] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyOperations, fc.boolean(), async (operation, withinEstimate) => {
        const result = await run(padron, operation, withinEstimate);
        expectBalancedUnits(result, operation, withinEstimate);
        if (result.units.uncertain > 0) uncertain += 1;
        if (result.ledger > result.units.spent) overcharged += 1;
      }),
      settings,
    );
    // The service charged units for unusable HTML pages. `uncertain` counts them.
    expect(uncertain).toBeGreaterThan(5);
    expect(overcharged).toBeGreaterThan(0);
  });
});
