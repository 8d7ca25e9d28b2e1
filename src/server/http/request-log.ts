import type { FastifyRequest } from 'fastify';
import type { Logger } from '../telemetry/logger';
import { findTraceId } from '../telemetry/operation-span';
import './request-lifecycle';

/** Writes the log line of a request. */
export function logRequest(log: Logger, request: FastifyRequest, status: number | null, ms: number): void {
  const { id, logContext, account } = request;
  const units = logContext?.units;
  const outcomes: Record<string, number> = {};
  const answered = (units?.calls ?? []).map(({ outcome }) => outcome);
  for (const outcome of [...answered, ...(units?.rejections ?? [])]) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  log.request({
    requestId: id,
    traceId: findTraceId(request),
    operation: logContext?.operation ?? null,
    account: account?.account ?? null,
    client: logContext?.client ?? null,
    reason: account?.rejection ?? null,
    status,
    outcomes,
    units: units?.spent ?? 0,
    uncertain: units?.uncertain ?? 0,
    saved: units?.saved ?? 0,
    ms: Math.round(ms),
  });
}
