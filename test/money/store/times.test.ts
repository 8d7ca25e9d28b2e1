import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { times as shortTimes } from '../../../src/times';

const read = (file: string): string => readFileSync(join(__dirname, '../../..', file), 'utf8');

describe('the table of times', () => {
  // The tests of this process have shorter times, but a second copy of the module has the real ones.
  let times: typeof shortTimes;
  beforeAll(() => {
    jest.isolateModules(() => {
      times = require('../../../src/times').times;
    });
  });

  it('keeps the order on which calls of dead processes depend', () => {
    const [, seconds] = /p_seen_at > interval '(\d+) seconds'/.exec(read('src/money/store/open.sql')) ?? [];
    expect(2 * times.beat).toBeLessThan(times.hold);
    expect(times.hold).toBeLessThan(1_000 * Number(seconds));
    expect(1_000 * Number(seconds)).toBeLessThan(times.lease);
  });

  it('has a lease of events that is longer than their delivery', () => {
    expect(times.eventAnswer).toBeLessThan(times.eventLease);
  });

  it.each([
    ['freeFailure', 'docs/money.md', 'for ten seconds if it was free'],
    ['circuitReset', 'docs/operations.md', 'open the circuit breaker of a registry for ten seconds'],
    ['eventAnswer', 'docs/events.md', 'within ten seconds'],
  ] as const)('has the time %s that %s names', (name, file, text) => {
    expect(times[name]).toBe(10_000);
    expect(read(file).replaceAll(/\s+/g, ' ')).toContain(text);
  });
});
