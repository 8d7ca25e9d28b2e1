import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
      ['first', 'second', 'third'].map((name) => queue.run('one', signal, check(name))),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(events).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('rejects a check if too many are waiting, and accepts checks again later', async () => {
    const queue = new CheckQueue({ maxWaiting: 2, maxWaitMs: 10_000 });
    const { check, end } = endless();
    const running = queue.run('one', signal, check);
    await sleep(1);
    const waiting = [queue.run('one', signal, async () => 'a'), queue.run('one', signal, async () => 'b')];
    await expect(queue.run('one', signal, async () => 'c')).rejects.toThrow(CheckQueueFullError);
    end();
    expect(await Promise.all([running, ...waiting])).toEqual(['done', 'a', 'b']);
    expect(await queue.run('one', signal, async () => 'd')).toBe('d');
  });

  it('removes a check immediately if its client disconnects or has waited too long, and never runs it', async () => {
    const queue = new CheckQueue({ maxWaiting: 10, maxWaitMs: 20 });
    const { check, end } = endless();
    const running = queue.run('one', signal, check);
    const controller = new AbortController();
    const checked: string[] = [];
    const left = queue.run('one', controller.signal, async () => void checked.push('left'));
    const late = queue.run('one', signal, async () => void checked.push('late'));
    controller.abort();
    await expect(left).rejects.toThrow(controller.signal.reason);
    await expect(late).rejects.toThrow(CheckQueueFullError);
    end();
    expect(await running).toBe('done');
    expect(await queue.run('one', signal, async () => 'next')).toBe('next');
    expect(checked).toEqual([]);
  });

  it('lets tenants take turns, and keeps places for each', async () => {
    const queue = new CheckQueue({ maxWaiting: 4, maxWaitMs: 10_000 });
    const { check, end } = endless();
    const running = queue.run('many', signal, check);
    await sleep(1);
    const checked: string[] = [];
    const ask = (tenant: string) => queue.run(tenant, signal, async () => void checked.push(tenant));
    const waiting = [1, 2, 3, 4].map(() => ask('many'));
    await expect(ask('many')).rejects.toThrow(CheckQueueFullError);
    waiting.push(ask('few'), ask('few'));
    await expect(ask('few')).rejects.toThrow(CheckQueueFullError);
    end();
    await Promise.all([running, ...waiting]);
    expect(checked).toEqual(['many', 'few', 'many', 'few', 'many', 'many']);
  });

  it('limits the wait also while garbage is collected', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const timer = setInterval(collectGarbage, 20);
    const queue = new CheckQueue({ maxWaiting: 10, maxWaitMs: 500 });
    const { check, end } = endless();
    const running = queue.run('one', signal, check);
    await expect(queue.run('one', new AbortController().signal, async () => 'late')).rejects.toThrow(
      CheckQueueFullError,
    );
    clearInterval(timer);
    setFlagsFromString('--no-expose-gc');
    end();
    await running;
  });
});
