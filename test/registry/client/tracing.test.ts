import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { people } from '../../../src/extensions/sandbox/data/people';
import { inSpan } from '../../../src/registry/client/tracing';
import { collectSpans } from '../../support/collect-spans';
import { findOrThrow } from '../../support/find-or-throw';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { card } from '../../support/sandbox/cards';

const collected = collectSpans();
const { exporter } = collected;

const person = findOrThrow(
  people,
  ({ credit, account, licences }) => Boolean(credit && account) && licences.length > 0,
);
const ofPerson = (nss: string, fields: string) => `{ person(nss: "${nss}") { ${fields} } }`;

let padron: ProxiedPadron;
beforeAll(async () => {
  // One call at a time: all but the first one wait for their turn.
  padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '1' });
});
afterAll(async () => {
  await padron.stop();
  collected.stop();
});
beforeEach(() => {
  padron.calls();
  padron.proxy.reset();
  exporter.reset();
});

const spans = () => exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
const namesOf = () =>
  spans()
    .map(({ name }) => name)
    .sort();

/** Names of the spans around a span, the nearest first. */
function ancestorsOf({ parentSpanContext }: ReadableSpan): readonly string[] {
  const parent = exporter.getFinishedSpans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
  return parent === undefined ? [] : [parent.name, ...ancestorsOf(parent)];
}

describe('spans', () => {
  it('are created for each call and named after its endpoint', async () => {
    await padron.ask(ofPerson(person.nss, 'credit { outcome } again: credit { outcome } housingAccount { outcome }'));
    expect(namesOf()).toEqual([`registry ${CREDIT}`, `registry ${ACCOUNT}`]);
    expect(padron.calls()).toHaveLength(2);
    expect(spans()[0]).toMatchObject({
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 200 },
    });
  });

  it('are children of the active span of the request, even after a wait or within a chain', async () => {
    const outer = trace.getTracer('an operator').startSpan('POST /graphql');
    await whileArriving(outer, () => padron.ask(ofPerson(person.nss, 'licences { outcome } credit { outcome }')));
    outer.end();
    const calls = spans();
    expect(calls).toHaveLength(padron.calls().length);
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls)
      expect(ancestorsOf(call)).toEqual([`lookup ${call.name.replace('registry ', '')}`, 'query', 'POST /graphql']);
  });

  it.each([
    ['server-error', SpanStatusCode.ERROR, 500],
    ['not-found', SpanStatusCode.UNSET, 404],
    ['unprocessable', SpanStatusCode.UNSET, 422],
  ] as const)('distinguish a failed call from an answer: %s', async (failure, code, status) => {
    await padron.ask(ofPerson(card(failure, 'nss'), 'credit { outcome }'));
    expect(spans()).toMatchObject([{ status: { code }, attributes: { 'http.response.status_code': status } }]);
    expect(spans()[0]?.status.message).toBeUndefined();
  });

  it('have a code for the reason why a call has no answer', async () => {
    padron.proxy.tamper(() => (response) => response.destroy());
    await padron.ask(ofPerson(person.nss, 'credit { outcome }'));
    expect(spans()).toMatchObject([{ status: { code: SpanStatusCode.ERROR } }]);
    expect(spans()[0]?.attributes['error.type']).toMatch(/^[A-Z_]+$|^SocketError$/);
  });

  it('are one for a call with its retries', async () => {
    padron.proxy.tamper((_, { arrivals }) =>
      arrivals === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: { message: 'x' } } : null,
    );
    await padron.ask(ofPerson(person.nss, 'credit { outcome }'));
    expect(padron.calls()).toHaveLength(2);
    expect(spans()).toHaveLength(1);
  });

  it('are not created if nothing is sent', async () => {
    await padron.ask(ofPerson('12345678901', 'credit { outcome } identity { outcome }'));
    await padron.ask(ofPerson(person.nss, 'credit { outcome }'), {}, { 'x-dry-run': 'true' });
    expect(spans()).toEqual([]);
  });

  it('are not created while a registry is paused', async () => {
    padron.proxy.standIn(() => ({ status: 503 }));
    for (let time = 0; time < 11; time += 1) await padron.ask(ofPerson(person.nss, 'credit { outcome }'));
    expect(padron.proxy.requests).toHaveLength(10);
    expect(spans()).toHaveLength(10);
  });

  it('end with an error status after an internal error, without its message', async () => {
    const bug = new Error(`about ${person.curp}`);
    await expect(inSpan('POST /api/x', () => Promise.reject(bug))).rejects.toBe(bug);
    expect(spans()).toMatchObject([
      { name: 'registry POST /api/x', status: { code: SpanStatusCode.ERROR }, events: [] },
    ]);
    const [span] = spans();
    expect(JSON.stringify([span?.attributes, span?.status])).not.toContain(person.curp);
  });
});

/** Requests that arrive while it runs are answered under this span, as behind an SDK's own HTTP instrumentation. */
async function whileArriving<Result>(span: Span, run: () => Promise<Result>): Promise<Result> {
  const arrive = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.url === '/graphql') collected.activate(span);
  };
  subscribe('http.server.request.start', arrive);
  try {
    return await run();
  } finally {
    unsubscribe('http.server.request.start', arrive);
  }
}
