/** Returns the number of event loop turns that other work got until the promise was fulfilled. */
export async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer = setImmediate(function again() {
    turns += 1;
    timer = setImmediate(again);
  });
  await promise;
  clearImmediate(timer);
  return turns;
}
