import { setTimeout as sleep } from 'node:timers/promises';
import { CheckQueue, CheckQueueFullError } from '../../../../src/graph/domains/tax/check-queue';

const { signal } = new AbortController();

/** A check that ends when it is ended. */
function endless() {
  let end = (): void => undefined;
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('done');
  });
  return { check: () => ended, end: () => end() };
}

describe('the queue of checks', () => {
  it('runs one check at a time, in order of arrival, whether they fail or not', async () => {
    const queue = new CheckQueue({ maxWaiting: 10, maxWaitMs: 10_000 });
    const events: string[] = [];
    const check = (name: string) => async () => {
      events.push(`${name} begins`);
      await sleep(1);
      events.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
      return name;
    };
    const results = await Promise.allSettled(
      ['first', 'second', 'third'].map((name) => queue.run(signal, check(name))),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(events).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('rejects a check if too many are waiting, and accepts checks again later', async () => {
    const queue = new CheckQueue({ maxWaiting: 2, maxWaitMs: 10_000 });
    const { check, end } = endless();
    const running = queue.run(signal, check);
    await sleep(1);
    const waiting = [queue.run(signal, async () => 'a'), queue.run(signal, async () => 'b')];
    await expect(queue.run(signal, async () => 'c')).rejects.toThrow(CheckQueueFullError);
    end();
    expect(await Promise.all([running, ...waiting])).toEqual(['done', 'a', 'b']);
    expect(await queue.run(signal, async () => 'd')).toBe('d');
  });

  it('removes a check immediately if its client disconnects or has waited too long, and never runs it', async () => {
    const queue = new CheckQueue({ maxWaiting: 10, maxWaitMs: 20 });
    const { check, end } = endless();
    const running = queue.run(signal, check);
    const controller = new AbortController();
    const checked: string[] = [];
    const left = queue.run(controller.signal, async () => void checked.push('left'));
    const late = queue.run(signal, async () => void checked.push('late'));
    controller.abort();
    await expect(left).rejects.toThrow(controller.signal.reason);
    await expect(late).rejects.toThrow(CheckQueueFullError);
    end();
    expect(await running).toBe('done');
    expect(await queue.run(signal, async () => 'next')).toBe('next');
    expect(checked).toEqual([]);
  });
});
