import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people } from '../../src/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { payer, receiptsIn } from '../support/operations/employer-graph';
import { post } from '../support/padrons/padron';
import { blocksOf, readPage } from '../support/pages';
import { collectSecrets, findLeaks } from '../support/processes/leak-detector';
import { startProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { type Receiver, startReceiver } from '../support/proxies/receiver';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { attributeOf, spansOf } from './exported-spans';

/** A process takes long to start where others keep the machine busy. */
const patience = 120_000;

const root = join(__dirname, '../..');
const sdkFile = join(root, 'docs/otel.cjs');
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

/** Runs padron in a separate process with an SDK, asks it, and waits until the spans are exported. */
async function askTraced(file: string): Promise<{ readonly output: string; readonly receiver: Receiver }> {
  const receiver = await startReceiver(() => 200);
  receivers.push(receiver);
  const { child, address, output } = startProcess({
    PORT: '0',
    REGISTRY_URL: sandbox.url,
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: `--require ${file}`,
    NODE_PATH: join(__dirname, 'node_modules'),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  try {
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, baggage: `nss=${person.nss}` };
    const { data, errors } = await post(await address(), { query: profile, variables }, headers);
    expect(errors).toBeUndefined();
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(data.employer.receiptFiles.pdf.content).toEqual(expect.any(String));
    collectSecrets(secrets, data);
    await waitUntil(() => spansOf(receiver).some(({ name }) => name === 'query Profile'));
    return { output: output(), receiver };
  } finally {
    child.kill('SIGKILL');
  }
}

describe('the SDK file of the documentation', () => {
  it('is shown in docs/operations.md byte for byte', () => {
    expect(blocksOf('js')).toContain(readPage('docs/otel.cjs').text);
  });

  it('is installed by a command that names the versions which are tested', () => {
    const { dependencies } = JSON.parse(readFileSync(join(__dirname, 'package.json'), 'utf8'));
    const install = findOrThrow(blocksOf('sh'), (block) => block.includes('docs/otel.cjs'));
    const named = [...install.matchAll(/(@opentelemetry\/[\w-]+)@(\S+)/g)];
    expect(named.length).toBe(2);
    for (const [, name = '', version] of named) expect(dependencies[name]).toBe(version);
  });

  let output: string;
  let receiver: Receiver;
  beforeAll(async () => {
    ({ output, receiver } = await askTraced(sdkFile));
  }, patience);

  it("exports one trace for an operation, the caller's own, from the operation to the HTTP requests", () => {
    const spans = spansOf(receiver).filter(({ traceId }) => traceId === TRACE);
    const parentOf = (spanId: string | undefined) => spans.find((span) => span.spanId === spanId)?.name;
    const requests = spans.filter(({ name }) => name === 'POST' || name === 'GET');
    expect(requests.length).toBe(5);
    const [lookup] = spans.filter(({ name }) => name === 'lookup POST /api/infonavit/grupo/buscar-credito');
    expect(parentOf(lookup?.parentSpanId)).toBe('query Profile');
    const parents = requests.map(({ parentSpanId }) => parentOf(parentSpanId));
    expect(parents).toContain('registry POST /api/infonavit/grupo/buscar-credito');
    for (const request of requests) expect(attributeOf(request, 'url.full')).toBe(sandbox.url);
    expect(output).toContain(`"traceId":"${TRACE}"`);
  });

  it('exports no identifier, name, token or signed link', () => {
    expect(spansOf(receiver).length).toBeGreaterThan(12);
    expect(secrets.size).toBeGreaterThan(10);
    expect(findLeaks(secrets, [JSON.stringify(receiver.received), output])).toEqual([]);
  });

  it(
    'is needed: with the instrumentation as it is installed, the same test finds identifiers',
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
        const { receiver } = await askTraced(bare);
        const leaked = findLeaks(secrets, [JSON.stringify(receiver.received)]).map(({ secret }) => secret);
        expect(leaked).toEqual(expect.arrayContaining([wireNss, person.curp, person.names, 'signature=']));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    patience,
  );
});
