import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { bearer, JWT_SECRET } from '../../../support/keys/identity-provider';
import { preparePadron } from '../../../support/padrons/ledger';
import { sharingRig } from '../../../support/padrons/sharing-padrons';
import { startProcess } from '../../../support/processes/process';
import { waitUntil } from '../../../support/proxies/deferred';
import { askPriced } from '../../../support/requests/money';
import { scrapeMetrics } from '../../../support/requests/scrape-metrics';
import { card } from '../../../support/sandbox/cards';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../../support/stores/engines';
import { dumpDatabase } from '../../../support/stores/postgres';
import {
  check,
  creditOf,
  creditsOf,
  end,
  holdCalls,
  indebted,
  kept,
  lost,
  newOperation,
  paid,
  paidCalls,
  sumsOf,
} from './operation';

const [first = '', second = '', third = '', fourth = ''] = indebted;

describe('the erasure of a person', () => {
  const claims = { client_id: 'hr', scope: 'use_buscar_credito padron_ledger padron_erase' };
  const caller = bearer(claims);
  const rig = sharingRig({ REPLAY_SECONDS: '0', JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN });

  const erase = async (nss: string): Promise<void> => {
    const query = 'mutation Erase($nss: NSS!) { eraseRegistrySubject(subject: { nss: $nss }) { entries } }';
    const { errors } = await askPriced(rig.padrons.second, { query, variables: { nss } }, caller);
    expect(errors).toBeUndefined();
  };
  /** Numbers of answers and of links that operations keep. */
  const stored = async () => {
    const sql =
      'SELECT (SELECT count(*)::int FROM answers WHERE operation IS NOT NULL) AS answers, (SELECT count(*)::int FROM answer_subjects) AS links';
    return (await rig.padrons.query<{ answers: number; links: number }>(sql))[0];
  };
  beforeEach(() => rig.padrons.query('TRUNCATE answers, answer_contents, answer_subjects, operation_calls'));

  it('deletes the answers about the person that the operations of the account keep, and no others', async () => {
    const { first: padron, proxy } = rig.padrons;
    const [one, two] = [newOperation({}, caller), newOperation({}, caller)];
    const ofSandbox = newOperation({}, { ...caller, 'x-sandbox': 'true' });
    for (const operation of [one, two]) await askPriced(padron, creditsOf([first, second]), operation.begin);
    await check(padron, first, ofSandbox.begin);
    expect(await stored()).toEqual({ answers: 5, links: 5 });
    await erase(first);
    expect(await stored()).toEqual({ answers: 3, links: 3 });
    const before = proxy.requests.length;
    expect(await check(padron, first, ofSandbox.later)).toMatchObject({ outcome: 'FOUND' });
    expect(await check(padron, second, one.later)).toMatchObject(kept);
    expect(proxy.requests).toHaveLength(before);
    expect(await check(padron, first, two.later)).toMatchObject(paid);
    expect(await check(padron, first, two.later)).toMatchObject(kept);
    expect(await sumsOf(padron, two, caller)).toMatchObject({ spentUnits: 3 });
  });

  it('keeps no answer that arrives later, and no link if its process is killed', async () => {
    const { first: padron, proxy, settings } = rig.padrons;
    const operation = newOperation({}, caller);
    await check(padron, second, operation.begin);
    const held = holdCalls(proxy);
    const answer = check(padron, third, operation.later);
    await held.arrived(1);
    const dying = startProcess({ ...settings(), LOG_LEVEL: 'error' });
    const killed = check({ url: await dying.address() }, fourth, operation.begin).catch(() => null);
    await held.arrived(2);
    for (const nss of [third, fourth]) await erase(nss);
    dying.child.kill('SIGKILL');
    await Promise.all([dying.ended(), killed]);
    held.release();
    expect(await answer).toMatchObject(paid);
    await waitUntil(async () => (await stored())?.links === 1);
    expect(await stored()).toEqual({ answers: 1, links: 1 });
    expect(await sumsOf(padron, operation, caller)).toMatchObject({ spentUnits: 2, uncertainUnits: 1 });
    proxy.tamper(null);
    expect(await check(padron, third, operation.later)).toMatchObject(paid);
  });
});

describe('the quota of kept answers', () => {
  const rig = engineRig('postgres');
  const service = sandboxForTests();

  it('refuses calls before they are sent, keeps what was paid for, and has room again when operations end', async () => {
    const prepared = await preparePadron(rig, { KEEP_ACCOUNT_BYTES: '1200', REPLAY_SECONDS: '0' });
    const padron = await prepared.start({ registryUrl: () => service.url });
    const [full, next, ofOther] = [
      newOperation(),
      newOperation(),
      newOperation({ authorization: `Bearer ${OTHER_TOKEN}` }),
    ];
    expect(await check(padron, first, full.begin)).toMatchObject(paid);
    const refused = { problems: ['KEEP_QUOTA_EXCEEDED'], servedFrom: 'NOT_SENT', spent: 0, uncertain: 0 };
    expect(await check(padron, second, full.later)).toMatchObject({ ...refused, outcome: 'NOT_RUN' });
    expect(await check(padron, first, full.later)).toMatchObject(kept);
    expect((await askPriced(padron, creditOf(second), next.begin)).status).toBe(400);
    expect(paidCalls(service.calls)).toBe(1);
    expect(await check(padron, first, ofOther.begin)).toMatchObject(paid);
    // A call outside of operations that last is not kept.
    expect(await check(padron, second)).toMatchObject(paid);
    await end(padron, full);
    expect(await check(padron, second, next.begin)).toMatchObject(paid);
    expect(await check(padron, second, next.later)).toMatchObject(kept);
    expect(paidCalls(service.calls)).toBe(4);
  });
});

describe('the ID of an operation that lasts', () => {
  const rig = engineRig('postgres');
  const service = sandboxForTests();
  const exporter = new InMemorySpanExporter();
  beforeAll(() => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  });
  afterAll(() => {
    trace.disable();
    context.disable();
  });

  it('finds it under every key of DATA_KEYS, and is in no table, log, span, metric or error', async () => {
    const [oldKey, newKey] = ['f3b07c5d9e1a4286'.repeat(3), '81d6a2e94c7f0b35'.repeat(3)];
    const prepared = await preparePadron(rig, { REPLAY_SECONDS: '0' });
    const start = (...keys: readonly string[]) =>
      prepared.start({ registryUrl: () => service.url, environment: { DATA_KEYS: keys.join(',') } });
    const operation = newOperation({ 'x-max-units': '3' });
    const responses: string[] = [];
    const ask = async (padron: { readonly url: string }, nss: string) => {
      const answer = await check(padron, nss, operation.later);
      responses.push(JSON.stringify(answer));
      return answer;
    };

    const before = await start(oldKey);
    expect(await check(before, first, operation.begin)).toMatchObject(paid);
    const reading = await start(oldKey, newKey);
    const writing = await start(newKey, oldKey);
    for (const padron of [reading, writing]) expect(await ask(padron, first)).toMatchObject(kept);
    expect(await ask(writing, second)).toMatchObject(paid);
    for (const padron of [before, reading]) expect(await ask(padron, second)).toMatchObject(kept);
    const padrons = [before, reading, writing];
    const answers = await Promise.all(indebted.slice(2, 8).flatMap((nss) => padrons.map((padron) => ask(padron, nss))));
    expect(answers.filter(({ spent }) => spent > 0)).toHaveLength(1);
    expect(paidCalls(service.calls)).toBe(3);
    for (const padron of padrons)
      expect(await sumsOf(padron, operation)).toMatchObject({ spentUnits: 3, leftUnits: 0 });
    const unknown = await check(writing, card('html', 'nss'), { ...operation.later, 'x-max-units': '9' });
    expect(unknown).toMatchObject({ uncertain: 1 });
    for (const padron of padrons) expect(await ask(padron, card('html', 'nss'))).toMatchObject(lost);

    const { id } = operation;
    const misuses = [
      { query: `{ registryOperation(id: "${id}") { ${id.replaceAll('-', '_')} } }` },
      { query: `{ registryOperation(id: ["${id}"]) { spentUnits } }` },
      { query: 'query ($id: Int) { registryOperation(id: $id) { spentUnits } }', variables: { id } },
    ];
    for (const body of misuses)
      responses.push(JSON.stringify((await askPriced(writing, body, operation.later)).headers));
    for (const headers of [
      { 'x-operation-keep': id },
      { 'x-operation-retry': id },
      { 'x-operation-id': `${id} ${id}` },
    ])
      responses.push(JSON.stringify(await askPriced(writing, creditOf(first), { ...operation.later, ...headers })));
    await check(writing, first, newOperation({ 'x-operation-id': id.slice(0, 19) }).begin);
    const spans = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events }) => JSON.stringify({ name, attributes, events }));
    const metrics = (await scrapeMetrics(writing)).text;
    expect(await end(reading, operation)).toMatchObject({ spentUnits: 3, uncertainUnits: 1 });
    const { store } = prepared;
    const dump = store.kind === 'postgres' ? await dumpDatabase(store.url) : '';
    const texts = [dump, metrics, ...spans, ...responses, ...padrons.flatMap(({ log }) => log)];
    expect([dump.includes('buscar-credito'), spans.length > 10, padrons[2]?.log.length]).toEqual([
      true,
      true,
      expect.any(Number),
    ]);
    const random = id.slice(-12);
    expect(texts.filter((text) => text.includes(random)).map((text) => text.slice(0, 400))).toEqual([]);
  });
});
