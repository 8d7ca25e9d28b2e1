import { AsyncLocalStorage } from 'node:async_hooks';
import { context, type Span, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

export interface CollectedSpans {
  readonly exporter: InMemorySpanExporter;
  /** Makes a span the active one for the rest of the current asynchronous work. */
  activate(span: Span): void;
  stop(): void;
}

/** Registers an SDK that carries the active span along and collects the ended spans, until `stop`. */
export function collectSpans(): CollectedSpans {
  const exporter = new InMemorySpanExporter();
  const storage = new AsyncLocalStorage<ReturnType<typeof context.active>>();
  const root = context.active();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? root,
    with: (entered, run, self, ...args) =>
      storage.run(entered, () => run.call(self as ThisParameterType<typeof run>, ...args)),
    bind: (_entered, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  return {
    exporter,
    activate: (span) => storage.enterWith(trace.setSpan(context.active(), span)),
    stop: () => {
      trace.disable();
      context.disable();
    },
  };
}
