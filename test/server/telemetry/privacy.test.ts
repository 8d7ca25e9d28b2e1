import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { parse } from 'graphql';
import { request } from 'undici';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { base64Input, byMultipart, credentialOf, TODAY } from '../../support/keys/signatures';
import { payer, receiptsIn } from '../../support/operations/employer-graph';
import { type RunningPadron, runPadron, type Setup } from '../../support/padrons/padron';
import { collectSecrets, findLeaks } from '../../support/processes/leak-detector';
import { sendRaw } from '../../support/requests/http';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { card } from '../../support/sandbox/cards';

const folder = join(__dirname, '../../../schema/examples');
const examples = readdirSync(folder)
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => readFileSync(join(folder, file), 'utf8'));
const person = findOrThrow(people, ({ credit, account, licences, certificate }) =>
  Boolean(credit && account && licences.length > 0 && certificate),
);
const signature = credentialOf('person');
const ROUTER = 'what-only-the-router-knows';
const PASSWORD = 'Palabra-de-paso-7';
const jwt = signedBySecret(JWT_SECRET, { scope: 'use_buscar_credito use_buscar_cedula', email: person.email });

/** Every variable of the examples, for people and employers whom the registries know. */
const inputs: Readonly<Record<string, unknown>> = {
  nss: person.nss,
  curp: person.curp,
  rfc: payer.rfc,
  registration: payer.registration,
  period: '2025-02',
  from: '2025-01',
  to: '2025-03',
  folio: receiptsIn(payer, '2025-02')[0]?.folio,
  number: person.licences[0]?.number,
  name: { names: person.names, paternalSurname: person.paternalSurname, maternalSurname: person.maternalSurname },
  input: base64Input(signature),
};

/** Documents with values of a person in places where no value belongs. */
const email = JSON.stringify(person.email);
const misplaced = [
  `{ person(nss: "${person.nss}) { nss } }`,
  `{ person(curp: ${person.curp}) { nss } }`,
  `{ person(name: {names: ${email}, ${person.curp}: 1}) { nss } }`,
  `{ person(name: ${email}) { licences(match: ${person.curp}) { outcome } } }`,
  `{ employer(registration: ["${payer.registration}"]) { nobody } }`,
  `{ _entities(representations: [{__typename: ${email}, nss: "${person.nss}"}]) { __typename } }`,
  `{ _entities(representations: [{__typename: "Person", nss: {x: "${person.nss}"}}]) { ... on Person { credit { outcome problems { message } } } } }`,
];

const secrets = new Set<string>([
  ...[person.nss, person.curp, person.rfc, person.email, person.phone, person.certificate?.folio ?? ''],
  ...[`${person.names} ${person.paternalSurname}`, `${person.paternalSurname} ${person.maternalSurname}`],
  ...[payer.registration, payer.rfc, payer.name, payer.obligatedSubjectId, `${inputs.folio}`, `${inputs.number}`],
  ...[signature.rfc, signature.password, PASSWORD, JWT_SECRET, ROUTER, SANDBOX_TOKEN, OTHER_TOKEN],
  ...[jwt, ...jwt.split('.').slice(1)],
  ...[signature.privateKey, signature.certificate].map((file) => file.toString('base64').slice(0, 60)),
]);
const exporter = new InMemorySpanExporter();
/** Everything that leaves padron beside the data themselves. */
const outside: string[] = [];
const running: RunningPadron[] = [];

beforeAll(() => {
  const spans = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(spans);
});
afterAll(async () => {
  await Promise.all(running.map((padron) => padron.stop()));
  trace.disable();
  context.disable();
});

async function start(environment: NonNullable<Setup['environment']>): Promise<RunningPadron> {
  const padron = await runPadron({ environment: { REPLAY_SECONDS: '30', ...environment }, now: () => TODAY });
  running.push(padron);
  return padron;
}

type Headers = Readonly<Record<string, string>>;

async function send(padron: RunningPadron, body: string, headers: Headers = {}): Promise<void> {
  const all = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers };
  const answer = await request(padron.url, { method: 'POST', headers: all, body });
  const { data, errors, extensions } = (await answer.body.json()) as Readonly<Record<string, unknown>>;
  collectSecrets(secrets, data);
  outside.push(JSON.stringify({ errors, extensions, headers: answer.headers }));
}

/** Runs every example with the variables that it asks for. */
async function runExamples(
  padron: RunningPadron,
  values: Readonly<Record<string, unknown>>,
  headers: Headers = {},
): Promise<void> {
  for (const query of examples) {
    const [definition] = parse(query).definitions;
    const names = definition?.kind === 'OperationDefinition' ? (definition.variableDefinitions ?? []) : [];
    const variables = Object.fromEntries(names.map(({ variable: { name } }) => [name.value, values[name.value]]));
    await send(padron, JSON.stringify({ query, variables }), headers);
  }
}

describe('the log, the metrics and the traces', () => {
  it('cover every example with valid input', async () => {
    const padron = await start({});
    await runExamples(padron, inputs);
    await runExamples(padron, inputs);
    await runExamples(padron, inputs, { 'x-sandbox': 'true' });
    await runExamples(padron, inputs, { 'x-dry-run': 'true' });
    await runExamples(padron, inputs, { 'x-max-units': '0' });
    await runExamples(padron, inputs, { authorization: '' });
    await byMultipart(padron, signature);
    await byMultipart(padron, { ...signature, password: PASSWORD });
    expect(padron.calls().length).toBeGreaterThan(10);
    expect(secrets.size).toBeGreaterThan(45);
    expect([...secrets].filter((secret) => /^https?:.*signature=/.test(secret))).not.toEqual([]);
  });

  it('cover every example with invalid input', async () => {
    const padron = await start({ INTROSPECTION: 'off' });
    const cut = (value: unknown) => String(value).slice(0, -1);
    const [list, object] = [(value: unknown) => [value], (value: unknown) => ({ v: value })];
    for (const spoil of [cut, list, object, Number]) {
      await runExamples(padron, Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, spoil(value)])));
    }
    await runExamples(padron, { ...inputs, input: { ...base64Input(signature), password: [PASSWORD], [PASSWORD]: 1 } });
    await runExamples(padron, inputs, { 'x-max-units': person.nss });
    for (const value of Object.values(inputs)) {
      const text = JSON.stringify(value);
      await send(padron, `{"query":${JSON.stringify(`{ person(nss: ${text}) { ${person.curp} } }`)}}`);
      await send(padron, `{"query":"query ${person.curp} { __typename }","operationName":"${person.curp}"}`);
      await send(padron, `{"query":"{ __typename }","variables":${text},"extensions":${text}}`);
      await send(padron, `{"query":${text}`);
      await send(padron, text, { 'content-type': `text/${person.curp}` });
      await send(padron, text, { accept: `text/${person.curp}` });
    }
    for (const query of misplaced) await send(padron, JSON.stringify({ query }));
    outside.push(await sendRaw(padron.url, `${person.curp} /${person.nss} HTTP/9\r\n${person.curp}\r\n\r\n`));
    const address = `/${person.curp}/%zz?token=${PASSWORD}`;
    outside.push(await sendRaw(padron.url, `GET ${address} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`));
  });

  it.each([
    ...(['server-error', 'html', 'somebody-else', 'unprocessable', 'bad-request', 'rate-limited-for-a-day'] as const),
    ...(['IMSS_INCONSISTENT_DATA', 'IMSS_HTTP_ERROR', 'IMSS_SESSION_EXPIRED', 'expired-link'] as const),
    ...(['unusable-link', 'foreign-link'] as const),
  ])('cover every example while the service fails with «%s»', async (failure) => {
    const padron = await start({});
    const kinds = { nss: 'nss', curp: 'curp', registration: 'registration', number: 'licence' } as const;
    const failing = Object.entries(kinds).flatMap(([name, kind]) => {
      try {
        return [[name, card(failure, kind)]];
      } catch {
        return [];
      }
    });
    expect(failing).not.toEqual([]);
    await runExamples(padron, { ...inputs, ...Object.fromEntries(failing) });
  });

  it('cover callers with JWTs', async () => {
    const padron = await start({ REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET, SUBGRAPH_SECRET: ROUTER });
    const router = { 'x-subgraph-secret': ROUTER };
    await runExamples(padron, inputs, { ...router, authorization: `Bearer ${jwt}` });
    await runExamples(padron, inputs, { ...router, authorization: `Bearer ${jwt}x` });
    await runExamples(padron, inputs, { authorization: `Bearer ${jwt}` });
  });

  it('cover an unreachable service', async () => {
    const padron = await runPadron({ registryUrl: () => 'http://127.0.0.1:1' });
    running.push(padron);
    await runExamples(padron, inputs);
  });

  it('contain nothing of persons, employers, documents or tokens', async () => {
    const figures = await Promise.all(running.map(async (padron) => (await scrapeMetrics(padron)).text));
    const logs = running.flatMap(({ log }) => log);
    const spans = exporter.getFinishedSpans().map((span) => {
      const { name, attributes, events, status, links } = span;
      return JSON.stringify({ name, attributes, events, status, links });
    });
    expect([logs.length > 300, spans.length > 50, outside.length > 150]).toEqual([true, true, true]);
    const texts = [...logs, ...figures.flatMap((text) => text.split('\n')), ...spans, ...outside];
    const leaks = findLeaks(secrets, texts);
    expect(leaks.slice(0, 5)).toEqual([]);
    expect(logs.filter((line) => line.includes('internal error'))).toEqual([]);
  });
});
