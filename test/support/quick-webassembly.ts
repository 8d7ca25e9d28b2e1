import { setFlagsFromString } from 'node:v8';

/**
 * Optimising PGlite takes most of the CPU time of opening an embedded store. The flag holds for everything in a worker of jest. Processes that
 * tests start, and so all measurements, run without it.
 */
setFlagsFromString('--liftoff-only');
