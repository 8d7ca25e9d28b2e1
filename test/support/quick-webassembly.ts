import { setFlagsFromString } from 'node:v8';

/** Optimising PGlite takes most of the CPU time of opening an embedded store, and no test runs long enough to gain from it. */
setFlagsFromString('--liftoff-only');
