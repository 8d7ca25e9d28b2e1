import type { IncomingHttpHeaders } from 'node:http';
import { context, isSpanContextValid, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { padronTracer } from '../../registry/client/tracing';

type RequestFields = NonNullable<FastifyRequest['logContext']>;

/** Header `traceparent` of W3C Trace Context: version, trace ID, parent ID and flags. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/**
 * Name of the span of an operation whose type is unknown. The semantic conventions for GraphQL define it, and name other spans by their
 * type only: clients choose the names of operations, so there may be any number of them.
 */
const unknownOperation = 'GraphQL Operation';

/** Runs an operation in a span that continues the caller's trace. */
export async function inOperationSpan(
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<void>,
): Promise<void> {
  const active = context.active();
  // If the operator uses an HTTP instrumentation, it has continued the trace already.
  const isContinued = trace.getSpan(active) !== undefined;
  const parent = isContinued ? active : propagation.extract(active, request.headers);
  const kind = isContinued ? SpanKind.INTERNAL : SpanKind.SERVER;
  const attributes = { 'padron.request_id': request.id };
  return padronTracer().startActiveSpan(unknownOperation, { kind, attributes }, parent, async (span) => {
    const spanContext = span.spanContext();
    // Without an SDK, the span has no trace ID.
    if (isSpanContextValid(spanContext)) request.traceId = spanContext.traceId;
    if (!span.isRecording()) return run();
    try {
      await run();
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    } catch (error) {
      // The span does not get the error's message, which may quote the request.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      const { logContext } = request;
      if (logContext !== null)
        span.updateName(logContext.operationType ?? unknownOperation).setAttributes(attributesOf(logContext));
      span.end();
    }
  });
}

/** Returns the trace ID of a request from the SDK or from the caller's header, or null. */
export function findTraceId({ traceId, headers }: FastifyRequest): string | null {
  return traceId ?? readTraceId(headers);
}

/** Returns the trace ID that the caller sent, or null. */
export function readTraceId({ traceparent }: IncomingHttpHeaders): string | null {
  return typeof traceparent === 'string' ? (traceparentPattern.exec(traceparent)?.[1] ?? null) : null;
}

function attributesOf({ operationType, operation, units }: RequestFields) {
  return {
    ...(operationType === null ? {} : { 'graphql.operation.type': operationType }),
    ...(operation === null ? {} : { 'graphql.operation.name': operation }),
    'padron.units.spent': units.spent,
    'padron.units.uncertain': units.uncertain,
    'padron.units.saved': units.saved,
  };
}
