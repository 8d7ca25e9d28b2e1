import { addUnits, type UnitCall, type UnitUsage } from '../../../../../schema/client/units';

/**
 * Adds the units of a repeated operation to those of its run. An answer that is reused there settles the call that the run has sent.
 * `sentAt`: milliseconds between the two requests.
 */
export function addUsage(earlier: UnitUsage | undefined, later: UnitUsage | undefined, sentAt: number) {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  const rest = [...earlier.calls];
  const calls = later.calls.map((call) => {
    const repeated = { ...call, at: sentAt + call.at };
    if (isSent(call)) return repeated;
    const index = rest.findIndex(({ endpoint, path }) => `${endpoint} ${path}` === `${call.endpoint} ${call.path}`);
    const [begun] = index === -1 ? [] : rest.splice(index, 1);
    return begun === undefined ? repeated : continueCall(begun, repeated);
  });
  return { ...later, ...addUnits(earlier, later), calls: [...rest, ...calls] };
}

const isSent = ({ servedFrom }: UnitCall): boolean => servedFrom === 'LIVE' || servedFrom === 'SANDBOX';

const isReused = ({ servedFrom }: UnitCall): boolean => servedFrom === 'REPLAY' || servedFrom === 'KEPT';

/** Returns a call from its start to what the repeated operation reports about it. */
function continueCall(begun: UnitCall, repeated: UnitCall): UnitCall {
  const { uncertain, servedFrom, at } = begun;
  if (!isSent(begun)) return repeated;
  if (begun.outcome !== 'UNAVAILABLE' || !isReused(repeated)) return begun;
  const isCharged = repeated.outcome === 'FOUND' || repeated.outcome === 'NOT_FOUND';
  return {
    ...repeated,
    servedFrom,
    at,
    ms: repeated.at + repeated.ms - at,
    units: isCharged ? uncertain : 0,
    uncertain: Math.min(uncertain, repeated.uncertain),
  };
}
