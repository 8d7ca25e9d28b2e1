import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Exchange } from './transport';

const tracer = trace.getTracer('padron');

/** One span a call, for whatever SDK the operator has put behind the API. It names the endpoint; the input stays out of it. */
export function inSpan(address: string, call: () => Promise<Exchange | null>): Promise<Exchange | null> {
  const [method = '', path = ''] = address.split(' ');
  const attributes = { 'http.request.method': method, 'url.path': path };
  return tracer.startActiveSpan(`registry ${address}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const exchange = await call();
      if (exchange?.kind === 'delivered') span.setAttribute('http.response.status_code', exchange.status);
      if (exchange?.kind === 'failed') span.setAttribute('error.type', exchange.detail);
      if (exchange === null || failed(exchange)) span.setStatus({ code: SpanStatusCode.ERROR });
      return exchange;
    } finally {
      span.end();
    }
  });
}

function failed(exchange: Exchange): boolean {
  return exchange.kind === 'failed' || exchange.status >= 500;
}
