import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { jwtMode } from '../graph/money/audit/read-trail';
import { bearer, JWT_SECRET } from '../support/keys/identity-provider';
import { credentialOf, signatureForm, TODAY, temporaryFile, VERIFY } from '../support/keys/signatures';
import { ACCOUNT, CREDIT } from '../support/operations/people-endpoints';
import { runPadron } from '../support/padrons/padron';
import { waitUntil } from '../support/proxies/deferred';
import { holdResponses } from '../support/proxies/held-responses';
import { postForm } from '../support/requests/multipart';
import { askGateway, type GatewayKind, type GatewayOptions, gateways } from './gateways/gateway';
import { ana } from './hr';
import { promisesOf } from './promises';
import { type Subgraphs, startSubgraphs } from './subgraphs';
import { contractSupergraph, routerSecret } from './supergraph';

type Headers = Readonly<Record<string, string>>;

const credit = `{ person(nss: "${ana.nss}") { credit { outcome evidence { servedFrom } } } }`;
const aboutAna = (fields: string): string => `{ person(nss: "${ana.nss}") { ${fields} } }`;
/** Four units: the last field costs two. */
const profile = aboutAna('credit { outcome } housingAccount { outcome } professionalStatus { outcome }');
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

describe.each(gateways)('what a platform team sets up in $name', (kind: GatewayKind) => {
  const promise = promisesOf(kind);
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0).reverse()) await each.stop();
  });
  const run = async <Started extends { stop(): Promise<void> }>(starting: Promise<Started>): Promise<Started> => {
    const started = await starting;
    running.push(started);
    return started;
  };
  /** Starts both subgraphs and the gateway. Returns them with a function that asks for an unused account. */
  async function start(settings: Headers = {}, options: GatewayOptions = {}, supergraphOf = supergraph) {
    const subgraphs = await run(startSubgraphs(settings, () => TODAY));
    const gateway = await run(kind.start(await supergraphOf(subgraphs), options));
    subgraphs.between.reset();
    const authorization = subgraphs.freshAuthorization();
    const ask = (query: string, headers: Headers = {}) => askGateway(gateway, { query }, { authorization, ...headers });
    return { subgraphs, gateway, ask, authorization };
  }
  const supergraph = async (subgraphs: Subgraphs): Promise<string> => subgraphs.supergraph;

  promise('starts', async () => {
    const { gateway, ask } = await start({ INTROSPECTION: 'false' });
    expect((await ask(credit)).data.person.credit.outcome).toBe('FOUND');
    if (kind.logsVersion) expect(gateway.log()).toContain(kind.version);
    const warnings = gateway
      .log()
      .split('\n')
      .filter((line) => /\b(?:WARN|ERROR|WRN|ERR)\b/.test(line));
    // Apollo Router warns of a metric that it has by default.
    expect(warnings.filter((line) => !line.includes('`apollo.router.session.count.active` metric'))).toEqual([]);
  });

  promise('contract', async () => {
    const { ask, subgraphs } = await start({}, {}, ({ urls }) => contractSupergraph(['money', 'batch'], urls));
    const { errors } = await ask('{ registrySpend { units } }');
    expect(errors).toHaveLength(1);
    expect(subgraphs.between.requests).toEqual([]);
    expect((await ask(credit)).data.person.credit.outcome).toBe('FOUND');
  });

  promise('profile', async () => {
    const { ask, subgraphs } = await start();
    const { data } = await ask(profile);
    expect(Object.values(data.person)).toEqual(Array(3).fill({ outcome: 'FOUND' }));
    expect(subgraphs.between.requests).toHaveLength(1);
  });

  promise('token', async () => {
    const { ask, subgraphs } = await start(jwtMode);
    const query = aboutAna('credit { outcome } housingAccount { outcome problems { code } }');
    const scope = 'use_buscar_credito';
    const { data } = await ask(query, { ...bearer({ client_id: 'hr', scope }), 'x-test-scopes': scope });
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(data.person.housingAccount.problems).toMatchObject([{ code: 'MISSING_PERMISSION' }]);
    expect(subgraphs.padron.calls()).toEqual([CREDIT]);
    const { errors } = await ask(query, { authorization: 'Bearer unknown' });
    expect(errors?.[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  promise('secret', async () => {
    const { ask, subgraphs, gateway, authorization } = await start();
    expect((await ask(credit)).data.person.credit.outcome).toBe('FOUND');
    expect(subgraphs.between.requests[0]?.headers['x-subgraph-secret']).toBe(routerSecret);
    const around = { ...gateway, url: subgraphs.padron.url };
    expect((await askGateway(around, { query: credit }, { authorization })).status).toBe(403);
  });

  promise('errors', async () => {
    const { ask, subgraphs } = await start({ DOCS_URL: 'https://docs.example/padron/' });
    const refused = await ask(credit, { 'x-max-units': '0' });
    expect(refused.errors?.[0].extensions).toMatchObject({
      code: 'UNIT_BUDGET_EXCEEDED',
      budget: 0,
      estimate: { estimatedUnits: 1 },
      url: expect.stringContaining('https://docs.example/padron/'),
    });
    const extensions = { code: 'RATE_LIMITED', limit: 5, retryAfter: 7 };
    subgraphs.between.standIn(() => ({ json: { data: null, errors: [{ message: 'Wait.', extensions }] } }));
    expect((await ask(credit)).errors?.[0]).toMatchObject({ message: 'Wait.', extensions });
  });

  promise('units', async () => {
    const { ask } = await start();
    const { extensions } = await ask(credit);
    expect(extensions).toMatchObject({ units: { spent: 1, uncertain: 0, saved: 0 } });
  });

  promise('allUnits', async () => {
    const { ask, subgraphs } = await start();
    const { extensions } = await ask(`{ person(nss: "${ana.nss}") { credit { outcome } }
      employees(ids: ["e2"]) { person { housingAccount { outcome } } } }`);
    expect(subgraphs.between.requests).toHaveLength(2);
    expect(extensions).toMatchObject({ units: { spent: 2, calls: [{ units: 1 }, { units: 1 }] } });
  });

  promise('slow', async () => {
    const timeoutMs = 4_000;
    const { ask, subgraphs } = await start({ REPLAY_SECONDS: '30' }, { timeoutMs });
    const held = holdResponses(subgraphs.between);
    const slow = ask(credit);
    await held.arrived(1);
    await sleep(timeoutMs / 2);
    held.release();
    expect((await slow).data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'LIVE' } });
    if (!kind.givesUp) return;
    const lost = holdResponses(subgraphs.between);
    const { data, errors } = await ask(aboutAna('housingAccount { outcome }'));
    expect([data?.person ?? null, errors?.length]).toEqual([null, 1]);
    lost.release();
    subgraphs.between.reset();
    // Asked again, the answer costs nothing.
    expect((await ask(aboutAna('housingAccount { outcome }'))).data.person.housingAccount.outcome).toBe('FOUND');
    expect(subgraphs.padron.calls()).toEqual([CREDIT, ACCOUNT]);
  });

  promise('leaves', async () => {
    const { ask, gateway, subgraphs, authorization } = await start({ REPLAY_SECONDS: '30' });
    const held = holdResponses(subgraphs.between);
    const leaving = new AbortController();
    const body = JSON.stringify({ query: credit });
    const headers = { 'content-type': 'application/json', authorization };
    const left = fetch(gateway.url, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => 'left');
    await held.arrived(1);
    leaving.abort();
    expect(await left).toBe('left');
    await waitUntil(() => subgraphs.padron.callsInFull().length === 1);
    held.release();
    subgraphs.between.reset();
    expect((await ask(credit)).data.person.credit).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
    expect(subgraphs.padron.calls()).toEqual([CREDIT]);
  });

  promise('restarts', async () => {
    const { ask, subgraphs } = await start();
    const both = `{ employees(ids: ["e1"]) { fullName person { credit { outcome } } } }`;
    await subgraphs.padron.stop();
    const { data, errors, status } = await ask(both);
    expect([status, data.employees[0].fullName, data.employees[0].person?.credit ?? null]).toEqual([200, 'Ana', null]);
    expect(errors?.length).toBeGreaterThan(0);
    const environment = { SUBGRAPH_SECRET: routerSecret, PORT: new URL(subgraphs.padron.url).port };
    await run(runPadron({ environment }));
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}` };
    await waitUntil(
      async () => (await ask(both, headers)).data.employees[0].person?.credit?.outcome === 'FOUND',
      20_000,
    );
  });

  promise('once', async () => {
    const { ask, subgraphs } = await start({ REPLAY_SECONDS: '30' });
    const held = holdResponses(subgraphs.between);
    const foreign = { authorization: subgraphs.freshAuthorization() };
    const asked = [ask(credit), ask(credit, foreign), ask(credit, { 'x-max-units': '7' })];
    await held.arrived(3);
    held.release();
    for (const { data } of await Promise.all(asked)) expect(data.person.credit.outcome).toBe('FOUND');
    await ask(credit);
    expect(subgraphs.between.requests).toHaveLength(4);
    expect(subgraphs.padron.calls()).toEqual([CREDIT, CREDIT]);
    subgraphs.between.tamper(() => (response) => void response.destroy());
    await ask(aboutAna('housingAccount { outcome }'));
    expect(subgraphs.between.requests).toHaveLength(5);
  });

  promise('costs', async () => {
    const { ask, subgraphs } = await start({}, { maxUnits: 3 });
    const files =
      '{ employer(registration: "Y6099999101") { receiptsBetween(from: "2025-01", to: "2025-12") { records { files { outcome } } } } }';
    for (const query of [profile, files]) {
      const { errors } = await ask(query);
      expect(errors?.[0].extensions.code).toBe('COST_ESTIMATED_TOO_EXPENSIVE');
    }
    expect(subgraphs.between.requests).toEqual([]);
    const { data } = await ask(aboutAna('credit { outcome } professionalStatus { outcome }'));
    expect(data.person).toEqual({ credit: { outcome: 'FOUND' }, professionalStatus: { outcome: 'FOUND' } });
  });

  promise('scopes', async () => {
    const key = { kty: 'oct', alg: 'HS256', use: 'sig', k: Buffer.from(JWT_SECRET).toString('base64url') };
    const keySet = temporaryFile('keys.json', JSON.stringify({ keys: [key] }));
    const { ask, subgraphs } = await start({ ...jwtMode, SCHEMA_SCOPES: 'true' }, { keySet });
    const scope = 'use_buscar_credito';
    const headers = { ...bearer({ client_id: 'hr', scope }), 'x-test-scopes': scope };
    const { data, errors } = await ask(aboutAna('credit { outcome } housingAccount { outcome }'), headers);
    expect(data.person).toEqual({ credit: { outcome: 'FOUND' }, housingAccount: null });
    expect(errors?.[0].extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE');
    expect(subgraphs.padron.calls()).toEqual([CREDIT]);
  });

  promise('documents', async () => {
    const { ask, gateway, authorization, subgraphs } = await start({}, { documents: { credit } });
    expect((await ask(credit)).errors).toHaveLength(1);
    expect(subgraphs.between.requests).toEqual([]);
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'credit' } };
    const { data } = await askGateway(gateway, { documentId: 'credit', extensions }, { authorization });
    expect(data.person.credit.outcome).toBe('FOUND');
  });

  promise('trace', async () => {
    const { ask, subgraphs } = await start();
    await ask(credit, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    expect(subgraphs.between.requests[0]?.headers.traceparent).toContain(traceId);
  });

  promise('files', async () => {
    const { gateway, authorization, subgraphs } = await start();
    const scope = 'use_sat_verificar_firma_electronica';
    const headers = { authorization, 'x-test-scopes': scope };
    const { data } = await postForm(gateway.url, signatureForm(credentialOf('person')), headers);
    expect(data?.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    expect(subgraphs.padron.calls()).toEqual([VERIFY]);
  });
});
