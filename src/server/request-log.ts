import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UnitMeter } from '../registry/units';
import type { Log } from './log';

/** What a request's line in the log tells beside its HTTP facts. */
export interface Told {
  operation: LoggableName | null;
  readonly units: UnitMeter;
}

declare module 'fastify' {
  interface FastifyRequest {
    told: Told | null;
    /** What is being done for the request, which goes on when its client leaves. */
    work: Promise<unknown> | null;
    /** Aborts when its client leaves before it is answered. Fastify's own `signal` already aborts once the body is read. */
    abortSignal: AbortSignal | null;
  }
}

/** What is done at the end of a request. */
export interface Ending {
  /** Its connection is done with it: answered, or left by its client. */
  closed(): void;
  /** Nothing is being done for it any more; the status is null where its client has left. */
  over(status: number | null, ms: number): void;
}

/** Follows a request to its end, by one listener for all who wait for that. */
export function follow(request: FastifyRequest, { raw: response }: FastifyReply, ending: Ending): void {
  const started = performance.now();
  const controller = new AbortController();
  request.abortSignal = controller.signal;
  response.on('close', () => {
    const status = response.writableFinished ? response.statusCode : null;
    if (status === null) controller.abort();
    ending.closed();
    const tell = (): void => ending.over(status, performance.now() - started);
    if (status !== null || request.work === null) tell();
    else request.work.then(tell, tell);
  });
}

/** One line a request. */
export function logRequest(log: Log, { id, told, account }: FastifyRequest, status: number | null, ms: number): void {
  const outcomes: Record<string, number> = {};
  const all = [...(told?.units.calls ?? []).map(({ outcome }) => outcome), ...(told?.units.refusals ?? [])];
  for (const outcome of all) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  log.request({
    requestId: id,
    operation: told?.operation ?? null,
    account: account?.account ?? null,
    status,
    outcomes,
    units: told?.units.spent ?? 0,
    uncertain: told?.units.uncertain ?? 0,
    saved: told?.units.saved ?? 0,
    ms: Math.round(ms),
  });
}

declare const loggable: unique symbol;
/** A name of which it was made sure that it is no identifier. */
export type LoggableName = string & { readonly [loggable]: true };

/** A developer names operations, but nothing stops one from naming it by a CURP: names hold few digits. */
export function loggableName(name: string | null): LoggableName | null {
  return name !== null && name.length <= 64 && name.replace(/\D/g, '').length < 4 ? (name as LoggableName) : null;
}
