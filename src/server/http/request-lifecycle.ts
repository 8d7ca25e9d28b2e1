import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationTypeNode } from 'graphql';
import type { UnitMeter } from '../../registry/questions/unit-meter';
import type { LoggableName } from '../telemetry/log-fields';

/** Content of a request's log line, besides its HTTP facts. */
export interface RequestLogContext {
  operation: LoggableName | null;
  operationType: OperationTypeNode | null;
  readonly units: UnitMeter;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request is recognized as GraphQL. */
    logContext: RequestLogContext | null;
    /** The id of the trace that an SDK has continued or begun. Null without an SDK. */
    traceId: string | null;
    /** Promise of the running work, which continues if the client disconnects. */
    handling: Promise<unknown> | null;
    /** Aborts when its client leaves before it is answered. Fastify's own `signal` already aborts once the body is read. */
    abortSignal: AbortSignal | null;
  }
}

/** Handlers for the end of a request. */
export interface RequestEndHandlers {
  /** Its connection is done with it: answered, or left by its client. */
  closed(): void;
  /** Nothing is being done for it any more; the status is null where its client has left. */
  finished(status: number | null, ms: number): void;
}

/** Follows a request to its end, by one listener for all who wait for that. */
export function onRequestEnd(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  handlers: RequestEndHandlers,
): void {
  const started = performance.now();
  const controller = new AbortController();
  request.abortSignal = controller.signal;
  response.on('close', () => {
    const status = response.writableFinished ? response.statusCode : null;
    if (status === null) controller.abort();
    handlers.closed();
    const finish = (): void => handlers.finished(status, performance.now() - started);
    if (status !== null || request.handling === null) finish();
    else request.handling.then(finish, finish);
  });
}
