import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { payer, receiptsIn } from '../support/operations/employer-graph';
import { post } from '../support/padrons/padron';
import { blocksOf, readPage } from '../support/pages';
import { collectSecrets, findLeaks } from '../support/processes/leak-detector';
import { startProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { type Receiver, startReceiver } from '../support/proxies/receiver';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';

/** A span as OTLP over JSON writes it. */
interface ExportedSpan {
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
function spansOf({ received }: Receiver): readonly ExportedSpan[] {
  return received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) =>
      (JSON.parse(body) as TraceExport).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
}

/** The text or number of an attribute of an exported span. */
function attributeOf({ attributes }: ExportedSpan, name: string): unknown {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value === undefined ? undefined : Object.values(value)[0];
}

/** A process takes long to start where others keep the machine busy. */
const patience = 120_000;

const person = findOrThrow(people, ({ credit, account, licences }) =>
  Boolean(credit && account && licences.length > 0),
);
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const [receipt] = receiptsIn(payer, '2025-02');
const profile = `query Profile($nss: NSS!, $curp: CURP!, $registration: EmployerRegistration!) {
  person(nss: $nss, curp: $curp) { credit { outcome record { names } } identity { outcome } licences { outcome } }
  employer(registration: $registration) { receiptFiles(period: "2025-02", folio: "${receipt?.folio}") { outcome pdf { url content } } }
}`;
const variables = { nss: person.nss, curp: person.curp, registration: payer.registration };
/** In the query string the service takes an NSS without its leading zeros. */
const wireNss = person.nss.replace(/^0+/, '');
const secrets = new Set([
  wireNss,
  ...[person.nss, person.curp, person.rfc, person.names, `${person.paternalSurname} ${person.maternalSurname}`],
  ...[payer.registration, payer.rfc, payer.name, `${receipt?.folio}`, 'sandbox-token', 'signature='],
]);

const sandbox = sandboxForTests();
const receivers: Receiver[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

/** The packages of the SDK, which an operator installs beside padron. */
const withSdk = { NODE_PATH: join(__dirname, 'node_modules') };
const endpointVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT';

async function startSpanReceiver(): Promise<Receiver> {
  const receiver = await startReceiver(() => 200);
  receivers.push(receiver);
  return receiver;
}

/** Runs padron in a separate process that exports JSON, asks it, and waits until the spans are exported. */
async function askTraced(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly output: string; readonly receiver: Receiver }> {
  const receiver = await startSpanReceiver();
  const { child, address, output } = startProcess({
    PORT: '0',
    REGISTRY_URL: sandbox.url,
    LOG_LEVEL: 'debug',
    ...withSdk,
    [endpointVariable]: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    ...settings,
  });
  try {
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, baggage: `nss=${person.nss}` };
    const url = await address();
    const { data, errors } = await post(url, { query: profile, variables }, headers);
    expect(errors).toBeUndefined();
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(data.employer.receiptFiles.pdf.content).toEqual(expect.any(String));
    collectSecrets(secrets, data);
    // Documents whose names and text are identifiers: one runs, one is not valid, and one cannot be parsed.
    for (const query of [`query ${person.curp} { __typename }`, `{ ${person.curp} }`, `{ person(nss: "${person.nss}" `])
      await post(url, { query }, headers);
    await waitUntil(() => spansOf(receiver).filter(({ name }) => operationNames.includes(name)).length === 4);
    return { output: output(), receiver };
  } finally {
    child.kill('SIGKILL');
  }
}

const sdkVersions: Readonly<Record<string, string>> = JSON.parse(
  readPage('test/tracing/package.json').text,
).dependencies;
const installCommand = `npm install ${['@opentelemetry/sdk-node', '@opentelemetry/instrumentation-undici']
  .map((name) => `${name}@${sdkVersions[name]}`)
  .join(' ')}`;

/** Names of the spans of operations, by the semantic conventions for GraphQL. */
const operationNames = ['query', 'GraphQL Operation'];

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('alone switches the export on, and the last spans are delivered when padron stops', async () => {
    const receiver = await startSpanReceiver();
    const padron = startProcess({ PORT: '0', ...withSdk, [endpointVariable]: receiver.url });
    await post(await padron.address(), { query: 'query Prices { registryEndpoints { units } }' });
    expect(await padron.stop()).toBe(0);
    const [exported] = receiver.received;
    expect(exported).toMatchObject({ path: '/v1/traces', headers: { 'content-type': 'application/x-protobuf' } });
    for (const text of ['padron', 'graphql.operation.name', 'Prices', 'padron.units.spent'])
      expect(exported?.body).toContain(text);
    expect(exported?.body).not.toContain('graphql.document');
  });

  it('without the packages only logs, once, the command that installs the tested versions', async () => {
    const receiver = await startSpanReceiver();
    const padron = startProcess({ PORT: '0', [endpointVariable]: receiver.url });
    const { data } = await post(await padron.address(), { query: 'query Prices { registryEndpoints { units } }' });
    expect(data.registryEndpoints.length).toBeGreaterThan(5);
    expect(await padron.stop()).toBe(0);
    const lines = padron
      .standardOutput()
      .split('\n')
      .filter((line) => line.includes(endpointVariable));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 40,
        command: installCommand,
        msg: 'OTEL_EXPORTER_OTLP_ENDPOINT is set, but no trace is exported: run this command first',
      },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it('is installed by the same command in the documentation', () => {
    expect(blocksOf('sh').filter((block) => block.includes(installCommand))).toHaveLength(1);
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(readPage('package.json').text);
    expect(Object.keys(peerDependencies).sort()).toEqual(Object.keys(sdkVersions).sort());
    for (const name of Object.keys(sdkVersions)) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  });

  it('must be an address', async () => {
    const padron = startProcess({ PORT: '0', ...withSdk, [endpointVariable]: 'collector:4318' });
    expect(await padron.ended()).toBe(1);
    expect(padron.standardError()).toContain(`${endpointVariable} must be an address`);
  });

  it('switches nothing on if it is empty', async () => {
    const padron = startProcess({ PORT: '0', [endpointVariable]: '' });
    await padron.address();
    expect(await padron.stop()).toBe(0);
    expect(padron.output()).not.toContain(endpointVariable);
  });
});

describe('the exported spans', () => {
  let output: string;
  let receiver: Receiver;
  beforeAll(async () => {
    ({ output, receiver } = await askTraced());
  }, patience);

  it("form one trace for an operation, the caller's own, from the operation to the HTTP requests", () => {
    const spans = spansOf(receiver).filter(({ traceId }) => traceId === TRACE);
    const parentOf = (spanId: string | undefined) => spans.find((span) => span.spanId === spanId)?.name;
    const requests = spans.filter(({ name }) => name === 'POST' || name === 'GET');
    expect(requests.length).toBe(5);
    const [lookup] = spans.filter(({ name }) => name === 'lookup POST /api/infonavit/grupo/buscar-credito');
    expect(parentOf(lookup?.parentSpanId)).toBe('query');
    const parents = requests.map(({ parentSpanId }) => parentOf(parentSpanId));
    expect(parents).toContain('registry POST /api/infonavit/grupo/buscar-credito');
    for (const request of requests) expect(attributeOf(request, 'url.full')).toBe(sandbox.url);
    expect(output).toContain(`"traceId":"${TRACE}"`);
  });

  it('have the names and attributes of the semantic conventions for GraphQL, and no document', () => {
    const operations = spansOf(receiver).filter(({ name }) => operationNames.includes(name));
    const described = operations.map((span) => [
      span.name,
      attributeOf(span, 'graphql.operation.type'),
      attributeOf(span, 'graphql.operation.name'),
    ]);
    expect(described).toEqual(
      expect.arrayContaining([
        ['query', 'query', 'Profile'],
        ['query', 'query', undefined],
        ['GraphQL Operation', undefined, undefined],
      ]),
    );
    const keys = new Set(operations.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
    expect([...keys].sort()).toEqual([
      'graphql.operation.name',
      'graphql.operation.type',
      'padron.request_id',
      'padron.units.saved',
      'padron.units.spent',
      'padron.units.uncertain',
    ]);
  });

  it('contain no identifier, name, token or signed link', () => {
    expect(spansOf(receiver).length).toBeGreaterThan(12);
    expect(secrets.size).toBeGreaterThan(10);
    expect(findLeaks(secrets, [JSON.stringify(receiver.received), output])).toEqual([]);
  });

  it(
    'would contain them with the instrumentation as it is installed, which an operator may load before padron',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'padron-otel-'));
      const bare = join(folder, 'bare.cjs');
      const load = (name: string): string => `require(${JSON.stringify(require.resolve(name))})`;
      const instrumentation = `new (${load('@opentelemetry/instrumentation-undici')}.UndiciInstrumentation)()`;
      writeFileSync(
        bare,
        `new (${load('@opentelemetry/sdk-node')}.NodeSDK)({ instrumentations: [${instrumentation}] }).start();`,
      );
      try {
        const { receiver } = await askTraced({ NODE_OPTIONS: `--require ${bare}` });
        const leaked = findLeaks(secrets, [JSON.stringify(receiver.received)]).map(({ secret }) => secret);
        expect(leaked).toEqual(expect.arrayContaining([wireNss, person.curp, person.names, 'signature=']));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    patience,
  );
});
