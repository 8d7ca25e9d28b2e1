import type { Receiver } from '../support/proxies/receiver';

/** A span as OTLP over JSON writes it. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface TraceExport {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[] }[];
}

/** Returns the spans that a receiver was sent. */
export function spansOf({ received }: Receiver): readonly ExportedSpan[] {
  return received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) =>
      (JSON.parse(body) as TraceExport).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
}

/** The text or number of an attribute of an exported span. */
export function attributeOf({ attributes }: ExportedSpan, name: string): unknown {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value === undefined ? undefined : Object.values(value)[0];
}
