import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationTypeNode } from 'graphql';
import type { ResponseDeadline } from '../../money/calls/response-deadline';
import type { UnitMeter } from '../../money/calls/units/unit-meter';
import type { LoggableName, Logger } from '../telemetry/logger';
import { findTraceId } from '../telemetry/operation-span';
import { codeOf } from './http-error';

export function logRequest(log: Logger, request: FastifyRequest, status: number | null, ms: number): void {
  const { id, logContext, account } = request;
  const units = logContext?.units;
  const outcomes: Record<string, number> = {};
  const answered = (units?.calls ?? []).map(({ outcome }) => outcome);
  for (const outcome of [...answered, ...(units?.rejections ?? [])]) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  log.request({
    requestId: id,
    traceId: findTraceId(request),
    path: request.routeOptions.url ?? null,
    operation: logContext?.operation ?? null,
    account: account?.account ?? null,
    client: logContext?.client ?? null,
    reason: account?.rejection ?? null,
    status,
    errors: request.errorCodes ?? (status === null || status < 400 ? {} : { [codeOf(status)]: 1 }),
    outcomes,
    units: units?.spent ?? 0,
    uncertain: units?.uncertain ?? 0,
    saved: units?.saved ?? 0,
    ms: Math.round(ms),
  });
}

export interface RequestLogContext {
  operation: LoggableName | null;
  operationType: OperationTypeNode | null;
  /** Client that the calls of the request are recorded for. */
  readonly client: LoggableName | null;
  readonly units: UnitMeter;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Content of the log line, or null until the request is recognized as GraphQL. */
    logContext: RequestLogContext | null;
    /** Number of errors by their code, or null if there are none. */
    errorCodes: Record<string, number> | null;
    /** ID of the trace that an OpenTelemetry SDK continued or started. Null without an SDK. */
    traceId: string | null;
    handling: Promise<unknown> | null;
    /** Signal that aborts if the client disconnects before the response. Fastify's own `signal` already aborts when the body is read. */
    abortSignal: AbortSignal | null;
    /** The time by which the request is answered. Null if it waits for every answer. */
    deadline: ResponseDeadline | null;
  }
}

export interface RequestEndHandlers {
  /** Called when the response is sent or the client has disconnected. */
  closed(): void;
  /** Called when all work of the request has ended. The status is null if the client disconnected, or shut down its sending side. */
  finished(status: number | null, ms: number): void;
}

/** Calls the handlers at the end of a request, and sets its `abortSignal`. A request has one listener for all of this. */
export function onRequestEnd(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  handlers: RequestEndHandlers,
): void {
  const started = performance.now();
  const controller = new AbortController();
  request.abortSignal = controller.signal;
  // A client that has shut down its sending side may still read. It cannot be told from one that has left, so no further question is paid for.
  const onShutDown = (): void => controller.abort();
  if (request.raw.socket.readableEnded) onShutDown();
  else request.raw.socket.once('end', onShutDown);
  response.on('close', () => {
    request.raw.socket.off('end', onShutDown);
    const status = response.writableFinished && !controller.signal.aborted ? response.statusCode : null;
    if (status === null) controller.abort();
    handlers.closed();
    const finish = (): void => handlers.finished(status, performance.now() - started);
    if (status !== null || request.handling === null) finish();
    else request.handling.then(finish, finish);
  });
}
