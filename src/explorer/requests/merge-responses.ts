import type { GraphqlResponse, ReportedCall, UnitUsage } from './graphql-response';

/**
 * Adds a later response to the same operation, which has what was still running and may lack the rest. `sentAt`: milliseconds between
 * the two requests.
 */
export function mergeResponses(earlier: GraphqlResponse, later: GraphqlResponse, sentAt: number): GraphqlResponse {
  const units = mergeUsage(earlier.extensions?.units, later.extensions?.units, sentAt);
  return {
    ...earlier,
    data: mergeData(earlier.data, later.data),
    ...(later.errors === undefined ? {} : { errors: later.errors }),
    ...(units === undefined ? {} : { extensions: { ...earlier.extensions, units } }),
  };
}

/** A later response has the same shape, without the fields that had arrived. */
function mergeData(earlier: unknown, later: unknown): unknown {
  if (later === undefined || later === null) return earlier;
  if (Array.isArray(earlier) && Array.isArray(later) && earlier.length === later.length)
    return earlier.map((item, index) => mergeData(item, later[index]));
  if (!isObject(earlier) || !isObject(later)) return later;
  const merged = Object.entries(later).map(([name, value]) => [name, mergeData(earlier[name], value)]);
  return { ...earlier, ...Object.fromEntries(merged) };
}

/** Gives the calls that were still running their results. Other reused answers of the later response are not added. */
function mergeUsage(
  earlier: UnitUsage | undefined,
  later: UnitUsage | undefined,
  sentAt: number,
): UnitUsage | undefined {
  if (earlier === undefined || later === undefined) return earlier;
  const calls = [...earlier.calls];
  const repeated = new Set<ReportedCall>();
  let spent = earlier.spent + later.spent;
  let uncertain = earlier.uncertain + later.uncertain;
  for (const call of later.calls) {
    // A list is asked again as a whole, so its answers that had arrived are in the later response too.
    const arrived = earlier.calls.find(
      (each) => isSame(each, call) && each.outcome === call.outcome && !isFailure(each) && !repeated.has(each),
    );
    if (arrived !== undefined && call.servedFrom === 'REPLAY') {
      repeated.add(arrived);
      continue;
    }
    const index = calls.findIndex((each) => isFailure(each) && isSame(each, call));
    const begun = calls[index];
    const ended = { ...call, at: Math.round(sentAt + call.at) };
    if (begun === undefined) {
      if (call.servedFrom !== 'REPLAY') calls.push(ended);
      continue;
    }
    const continued = continueCall(begun, ended);
    calls[index] = continued;
    if (call.servedFrom !== 'REPLAY') continue;
    spent += continued.units;
    uncertain += continued.uncertain - begun.uncertain;
  }
  return { ...earlier, spent, uncertain, calls };
}

/**
 * Returns the call from its start in the first request to its end. A reused answer tells whether the call that this operation had sent
 * was charged.
 */
function continueCall(begun: ReportedCall, ended: ReportedCall): ReportedCall {
  const servedFrom = begun.servedFrom === 'LIVE' ? begun.servedFrom : ended.servedFrom;
  const call = { ...ended, servedFrom, at: begun.at, ms: ended.at + ended.ms - begun.at };
  if (ended.servedFrom !== 'REPLAY') return { ...call, uncertain: begun.uncertain + ended.uncertain };
  const isCharged = ended.outcome === 'FOUND' || ended.outcome === 'NOT_FOUND';
  return { ...call, units: isCharged ? begun.uncertain : 0, uncertain: Math.min(begun.uncertain, ended.uncertain) };
}

const isFailure = ({ outcome }: ReportedCall): boolean => outcome === 'UNAVAILABLE';

const isSame = (left: ReportedCall, right: ReportedCall): boolean =>
  left.endpoint === right.endpoint && left.path.join('.') === right.path.join('.');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
