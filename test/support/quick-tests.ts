import { setFlagsFromString } from 'node:v8';
import { times } from '../../src/times';

/**
 * Optimising PGlite takes most of the CPU time of opening an embedded store. The flag holds for everything in a worker of jest. Processes that
 * tests start, and so all measurements, run without it.
 */
setFlagsFromString('--liftoff-only');

/** The same holds for the code of a file of tests, which runs for seconds and is loaded again for the next file. */
setFlagsFromString('--no-opt');

/**
 * Shortens what tests within this process wait for. Programs that tests start have the real times, so `test/reliability` proves these. Leases
 * stay as they are, because a busy machine would exceed shorter ones.
 */
Object.assign(times, {
  beat: 250,
  embeddedPurge: 2_000,
  closingDelay: 100,
  closingRetry: { first: 50, max: 400 },
  callPoll: 100,
  callRetry: 50,
  entriesPoll: 50,
  freeFailure: 2_000,
  requestPoll: 50,
  resultRetry: 200,
  eventPoll: 100,
  eventAnswer: 5_000,
  batchCycle: 200,
  rowPoll: 50,
  rowRetry: { first: 200, max: 60_000 },
  secretFiles: 50,
  connectionRetry: 200,
  listenRetry: 200,
  statementRetry: { first: 50, max: 400 },
  closeGrace: 100,
} satisfies Partial<typeof times>);
