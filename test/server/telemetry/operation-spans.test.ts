import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import type { RunningPadron } from '../../support/padrons/padron';
import { padronForEachTest, padronForTests } from '../../support/padrons/padron-for-tests';
import { waitUntil } from '../../support/proxies/deferred';
import { card } from '../../support/sandbox/cards';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));
const profile = `query Profile { person(nss: "${person.nss}") { credit { outcome } housingAccount { outcome } } }`;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${PARENT}-01`;
type Line = Readonly<Record<string, unknown>>;

const exporter = new InMemorySpanExporter();
const lookups = () => exporter.getFinishedSpans().filter(({ name }) => name.startsWith('lookup '));
const operations = () => exporter.getFinishedSpans().filter(({ name }) => !/^(lookup|registry) /.test(name));

/** Returns the lines of a message that a padron has logged since so many lines. */
const linesOf = async ({ log }: RunningPadron, message: string, since = 0): Promise<readonly Line[]> => {
  const lines = () =>
    log
      .slice(since)
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg === message);
  await waitUntil(() => lines().length > 0);
  return lines();
};

describe('a padron without an SDK', () => {
  const padron = padronForTests();
  const lineFor = async (header: string): Promise<Line | undefined> => {
    const since = padron.log.length;
    await padron.ask(profile, {}, { traceparent: header });
    return (await linesOf(padron, 'request', since))[0];
  };

  it("logs the caller's trace ID with the request", async () => {
    expect(await lineFor(traceparent)).toMatchObject({ traceId: TRACE, operation: 'Profile' });
  });

  it.each([
    '',
    `00-${person.nss}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `${traceparent}${person.curp}`,
  ])('logs no trace ID if the header is not a trace context: %s', async (header) => {
    expect(await lineFor(header)).not.toHaveProperty('traceId');
  });
});

describe('a padron with an SDK', () => {
  const padron = padronForEachTest({ environment: { REPLAY_SECONDS: '30' } });
  beforeEach(() => exporter.reset());
  let sdk: NodeTracerProvider;
  beforeAll(() => {
    sdk = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    sdk.register();
  });
  afterAll(() => sdk.shutdown());

  it('has one span for each operation, and each lookup is a child of it', async () => {
    await padron.ask(`${profile.slice(0, -4)} again: credit { outcome } } }`);
    expect(operations()).toMatchObject([
      {
        name: 'query',
        kind: SpanKind.SERVER,
        attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Profile', 'padron.units.spent': 2 },
      },
    ]);
    expect(padron.calls()).toHaveLength(2);
    expect(
      lookups()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([`lookup ${CREDIT}`, `lookup ${ACCOUNT}`].sort());
    for (const lookup of lookups())
      expect(lookup.parentSpanContext?.spanId).toBe(operations()[0]?.spanContext().spanId);
    expect(lookups().find(({ name }) => name.endsWith(CREDIT))?.attributes).toEqual({
      'padron.endpoint': CREDIT,
      'padron.outcome': 'FOUND',
      'padron.units': 1,
      'padron.served_from': 'LIVE',
    });
  });

  it("continues the caller's trace, and logs its ID", async () => {
    await padron.ask(profile, {}, { traceparent });
    const [operation] = operations();
    expect(operation?.spanContext().traceId).toBe(TRACE);
    expect(operation?.parentSpanContext?.spanId).toBe(PARENT);
    for (const message of ['request', 'registry call'])
      for (const line of await linesOf(padron, message)) expect(line).toMatchObject({ traceId: TRACE });
  });

  it('starts a trace if the caller sends none, and logs its ID', async () => {
    await padron.ask(profile);
    const traceId = operations()[0]?.spanContext().traceId;
    expect(traceId).toMatch(/^[\da-f]{32}$/);
    expect((await linesOf(padron, 'request'))[0]).toMatchObject({ traceId });
  });

  it('shows that an answer was replayed free of charge', async () => {
    await padron.ask(profile);
    exporter.reset();
    await padron.ask(profile);
    expect(padron.calls()).toHaveLength(2);
    expect(lookups().map(({ attributes }) => attributes)).toMatchObject([
      { 'padron.served_from': 'REPLAY', 'padron.units': 0, 'padron.outcome': 'FOUND' },
      { 'padron.served_from': 'REPLAY', 'padron.units': 0, 'padron.outcome': 'FOUND' },
    ]);
    expect(operations()[0]?.attributes).toMatchObject({ 'padron.units.spent': 0, 'padron.units.saved': 2 });
  });

  it('marks a failed lookup, but not its operation', async () => {
    await padron.ask(`{ person(nss: "${card('server-error', 'nss')}") { credit { outcome } } }`);
    expect(lookups()).toMatchObject([
      { status: { code: SpanStatusCode.ERROR }, attributes: { 'padron.outcome': 'UNAVAILABLE' } },
    ]);
    expect(operations()).toMatchObject([{ name: 'query', status: { code: SpanStatusCode.UNSET } }]);
  });

  it('keeps names that may be identifiers out of the span', async () => {
    await padron.ask(`query ${person.curp} { person(nss: "${person.nss}") { credit { outcome } } }`);
    await padron.ask(`{ ${person.curp} }`);
    expect(operations().map(({ name }) => name)).toEqual(['query', 'GraphQL Operation']);
    const exported = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
    for (const secret of [person.nss, person.curp, person.names, 'sandbox-token'])
      expect(JSON.stringify(exported)).not.toContain(secret);
  });
});
