import { CallOpener, type Opening } from '../../../../src/money/calls/store/call-opener';
import { StatementError, type Store, StoreBusyError } from '../../../../src/store/store';

const openerOf = (query: Store['query']): CallOpener => {
  const store = { query } as Store;
  return new CallOpener({ store, processName: 'p', accountBytes: 1_000, seenAt: () => null });
};
const openingOf = (account: string, operation: string | null = null): Opening =>
  ({ id: account, accounts: [account], operation, run: 0, day: 0 }) as unknown as Opening;

describe('the opener of calls', () => {
  it.each([null, 'operation'])('refuses a call that the store rejects, with the operation %s', async (operation) => {
    const opener = openerOf(() => Promise.reject(new StatementError('This error is injected.', '22P02')));
    expect(await opener.open(openingOf('a', operation))).toMatchObject({ verdict: 'REFUSED', details: null });
  });

  it('opens the calls of a locked account separately, and remembers no more accounts than it has queues for', async () => {
    const groups: number[] = [];
    let isLocked = true;
    const opener = openerOf(async (_sql, parameters) => {
      groups.push(JSON.parse(String(parameters?.[7])).length);
      if (isLocked) throw new StoreBusyError('This lock is injected.');
      return [];
    });
    const openAll = (from: number) =>
      Promise.allSettled(Array.from({ length: 100 }, (_, index) => opener.open(openingOf(`${from + index}`))));
    for (let from = 0; from < 2_000; from += 100) await openAll(from);
    isLocked = false;
    groups.length = 0;
    await openAll(0);
    await openAll(1_900);
    // The first accounts are forgotten. The last ones are not.
    expect(groups).toEqual([100, ...Array(100).fill(1)]);
  });
});
