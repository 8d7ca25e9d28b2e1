import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Answer } from '../answer/answer';
import type { HttpResult } from '../transport/transport';

/** Runs a call in a span for the operator's OpenTelemetry SDK. The span names the endpoint, and contains no input. */
export function inSpan(address: string, call: () => Promise<HttpResult | null>): Promise<HttpResult | null> {
  const [method = '', path = ''] = address.split(' ');
  const attributes = { 'http.request.method': method, 'url.path': path };
  return padronTracer().startActiveSpan(`registry ${address}`, { kind: SpanKind.CLIENT, attributes }, (span) => {
    if (!span.isRecording()) return call();
    return endSpan(span, call(), (result) => {
      if (result === null) return false;
      if (result.kind === 'delivered') span.setAttribute('http.response.status_code', result.status);
      else span.setAttribute('error.type', result.detail);
      return hasFailed(result);
    });
  });
}

/**
 * Runs the lookup of one question in a span, whether the question is sent or its answer is replayed. The attributes describe the
 * answer. They never contain the question.
 */
export function inLookupSpan<Payload>(
  address: string,
  lookUp: () => Promise<Answer<Payload>>,
): Promise<Answer<Payload>> {
  const attributes = { 'padron.endpoint': address };
  return padronTracer().startActiveSpan(`lookup ${address}`, { attributes }, (span) => {
    // Without an SDK, or in a trace that is not sampled, nothing is recorded.
    if (!span.isRecording()) return lookUp();
    return endSpan(span, lookUp(), ({ outcome, evidence }) => {
      span.setAttributes({
        'padron.outcome': outcome,
        'padron.units': evidence.units,
        'padron.served_from': evidence.servedFrom,
      });
      return outcome === 'UNAVAILABLE';
    });
  });
}

async function endSpan<Result>(
  span: Span,
  work: Promise<Result>,
  describe: (result: Result) => boolean,
): Promise<Result> {
  try {
    const result = await work;
    if (describe(result)) span.setStatus({ code: SpanStatusCode.ERROR });
    return result;
  } catch (error) {
    // The error's message is not recorded, because it may quote the question.
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

export const padronTracer = (): Tracer => trace.getTracer('padron');

function hasFailed(result: HttpResult): boolean {
  return result.kind === 'failed' || result.status >= 500;
}

/** Runs work that continues after the request that started it. Its spans do not belong to the trace of that request. */
export const outsideTrace = <Result>(work: () => Result): Result => context.with(ROOT_CONTEXT, work);
