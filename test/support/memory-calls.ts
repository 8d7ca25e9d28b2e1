import { Calls } from '../../src/money/calls/calls';
import type { RegistryClient } from '../../src/registry/client/client';

/** The calls of a process without a store. They keep no answers. */
export const memoryCalls = (client: RegistryClient): Calls =>
  Calls.inMemory({
    client,
    windowMs: 0,
    timeoutMs: 5_000,
    timeZone: 'America/Mexico_City',
    now: () => new Date(),
  });
