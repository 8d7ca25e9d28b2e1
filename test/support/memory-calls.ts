import { Calls } from '../../src/money/calls/calls';
import type { CallOrigin } from '../../src/money/calls/life/call';
import type { RegistryClient } from '../../src/registry/client/client';

/** The origin of calls without labels. */
export const noOrigin: CallOrigin = {
  ...{ client: null, holder: null, tag: null, purpose: null, actor: null, reference: null },
  ...{ operation: () => null, requestId: null, batchId: null, reuse: null },
};

/** The calls of a process without a store. They keep no answers. */
export const memoryCalls = (client: RegistryClient): Calls =>
  Calls.inMemory({
    client,
    windowMs: 0,
    timeoutMs: 5_000,
    timeZone: 'America/Mexico_City',
    now: () => new Date(),
  });
