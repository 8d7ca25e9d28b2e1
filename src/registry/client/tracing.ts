import { ProxyTracerProvider, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { HttpResult } from '../transport/transport';

/** One span a call, for whatever SDK the operator has put behind the API. It names the endpoint; the input stays out of it. */
export function inSpan(address: string, call: () => Promise<HttpResult>): Promise<HttpResult> {
  const tracer = activeTracer();
  if (tracer === null) return call();
  const [method = '', path = ''] = address.split(' ');
  const attributes = { 'http.request.method': method, 'url.path': path };
  return tracer.startActiveSpan(`registry ${address}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const result = await call();
      if (result.kind === 'delivered') span.setAttribute('http.response.status_code', result.status);
      else span.setAttribute('error.type', result.detail);
      if (hasFailed(result)) span.setStatus({ code: SpanStatusCode.ERROR });
      return result;
    } catch (error) {
      // Without its words: they may quote what was asked.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The tracer of an SDK; null until one is there. It may come at any time: till then the API's own provider stands in for it. */
function activeTracer(): Tracer | null {
  const provider = trace.getTracerProvider();
  if (!(provider instanceof ProxyTracerProvider)) return provider.getTracer('padron');
  return provider.getDelegateTracer('padron') ?? null;
}

function hasFailed(result: HttpResult): boolean {
  return result.kind === 'failed' || result.status >= 500;
}
