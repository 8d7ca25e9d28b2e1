import { BatchStore } from '../../../../src/extensions/batch/storage/batch-store';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { EventStore } from '../../../../src/money/ledger/events/event-store';
import { type PreparedPadron, preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { type EventReceiver, startEventReceiver, WEBHOOK_SECRET } from '../../../support/padrons/webhooks';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { scrapeMetrics } from '../../../support/requests/scrape-metrics';
import { engineRig } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from '../audit/read-trail';

const staff = people.slice(0, 3);
const rows = staff.map(({ nss }, index) => ({ nss, ref: `planted label ${index}` }));
const fields = 'id type at state attempts lastStatus data';
const list = `query ($state: RegistryEventState, $first: Int! = 100, $after: String) { registryEvents(state: $state, first: $first, after: $after) { events { ${fields} } next } }`;
const resend = `mutation ($id: ID!) { resendRegistryEvent(id: $id) { ${fields} } }`;

/** Texts that an event must not contain. */
const planted = [
  ...staff.flatMap(({ nss, curp, names }) => [nss, curp, names]),
  ...['planted label', 'planted name', 'planted key', 'query Credit', SANDBOX_TOKEN, WEBHOOK_SECRET, 'http'],
];

// The tests read the store while padron runs, which an embedded store does not allow.
describe('events', () => {
  const rig = engineRig('postgres');
  let status = 204;
  let receiver: EventReceiver;
  let prepared: PreparedPadron;
  let padron: RunningPadron;
  let client: BatchClient;
  beforeAll(async () => {
    receiver = await startEventReceiver(() => status);
    prepared = await preparePadron(rig, receiver.environment);
    padron = await prepared.start();
    client = new BatchClient(padron);
  });
  afterAll(async () => {
    await padron.stop();
    await receiver.close();
  });

  const eventsOf = async (variables: object = {}, token = SANDBOX_TOKEN) =>
    (await padron.ask(list, { ...variables }, { authorization: `Bearer ${token}` })).data.registryEvents;

  it('say that a batch is ready, paused by padron and done, with counts only, and cost no call', async () => {
    await client.verifyToken();
    padron.calls();
    const input = { operation: CREDIT, rows, name: 'planted name', key: 'planted key' };
    const { id } = (await client.create(input)).batch;
    await client.run(id, 1);
    await receiver.untilEvents(2);
    await client.change(`resumeRegistryBatch(id: "${id}", maxUnits: 9)`);
    await client.until(id, 'DONE');
    const events = await receiver.untilEvents(3);
    const data = { batch: id, rows: 3, units: 0, uncertainUnits: 0, reason: null, pausedUntil: null, budget: null };
    expect(events.map(({ type, data: shown }) => [type, shown])).toEqual([
      ['batch.ready', data],
      ['batch.paused', { ...data, units: 1, reason: 'UNIT_BUDGET_EXCEEDED' }],
      ['batch.done', { ...data, units: 3 }],
    ]);
    expect(padron.calls()).toHaveLength(3);
  });

  it('do not say that a caller paused a batch', async () => {
    const { id } = await client.ready(CREDIT, rows);
    const own = () => receiver.events().filter(({ data }) => data.batch === id);
    await prepared.read(async (store) => {
      const batches = new BatchStore(store);
      const start = { token: null, rowUnits: null, client: null, permissions: null, actor: null };
      expect(await batches.run(id, 'READY', 9, start)).toBe(true);
      expect(await batches.pause(id, null)).toBe(true);
      expect(await batches.run(id, 'PAUSED', 9, start)).toBe(true);
      expect(await batches.pause(id, 'TOKEN_REFUSED')).toBe(true);
    });
    await waitUntil(() => own().length === 2);
    expect(own().map(({ type, data }) => [type, data.reason])).toEqual([
      ['batch.ready', null],
      ['batch.paused', 'TOKEN_REFUSED'],
    ]);
  });

  it('contain nothing of the people, the texts and the secrets of a batch, in bodies, log and database', async () => {
    const stored = await prepared.read((store) => store.query('SELECT * FROM ledger_events'));
    const texts = [
      ...receiver.received.map(({ body }) => body),
      ...padron.log.filter((line) => line.includes('event')),
      JSON.stringify(stored),
      JSON.stringify(await eventsOf()),
    ].join('\n');
    expect(texts).toContain('batch.done');
    expect(planted.filter((text) => texts.includes(text))).toEqual([]);
    expect(padron.log.join('\n')).not.toContain(WEBHOOK_SECRET);
    expect(padron.log.join('\n')).not.toContain(receiver.url);
  });

  it('are listed in pages, by state, and only for their account', async () => {
    const all = (await eventsOf()).events;
    expect(all.length).toBeGreaterThan(4);
    expect(all.map(({ state, lastStatus }: { state: string; lastStatus: number }) => [state, lastStatus])).toEqual(
      all.map(() => ['DELIVERED', 204]),
    );
    const first = await eventsOf({ first: 2 });
    const second = await eventsOf({ first: 100, after: first.next });
    expect([...first.events, ...second.events]).toEqual(all);
    expect(second.next).toBeNull();
    expect(await eventsOf({ state: 'FAILED' })).toEqual({ events: [], next: null });
    expect(await eventsOf({}, OTHER_TOKEN)).toEqual({ events: [], next: null });
    for (const variables of [
      { first: 0 },
      { first: 1_001 },
      { after: 'x' },
      { after: Buffer.from('after A').toString('base64url') },
    ])
      expect((await padron.ask(list, variables)).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('fail at once if the receiver answers 410, and can be sent again by their account, which is audited', async () => {
    status = 410;
    const { id: batch } = await client.ready(CREDIT, rows);
    await waitUntil(async () => (await eventsOf({ state: 'FAILED' })).events.length === 1);
    const [failed] = (await eventsOf({ state: 'FAILED' })).events;
    expect(failed).toMatchObject({ type: 'batch.ready', attempts: 1, lastStatus: 410, data: { batch } });
    expect((await scrapeMetrics(padron)).of('padron_events_total', { type: 'batch.ready', result: 'failed' })).toBe(1);
    status = 200;
    const stranger = await padron.ask(resend, { id: failed.id }, { authorization: `Bearer ${OTHER_TOKEN}` });
    expect(stranger.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    const { data } = await padron.ask(resend, { id: failed.id });
    expect(data.resendRegistryEvent).toMatchObject({ id: failed.id, data: failed.data, state: 'PENDING' });
    await waitUntil(async () => (await eventsOf({ state: 'FAILED' })).events.length === 0);
    await waitUntil(() => receiver.events().filter(({ id }) => id === failed.id).length === 2);
    const [one, two] = receiver.events().filter(({ id }) => id === failed.id);
    expect(one).toEqual(two);
    const audit = await padron.ask(
      '{ registryAudit(filter: { action: RESEND_EVENT }) { actions { outcome event scope } } }',
    );
    expect(audit.data.registryAudit.actions).toEqual([{ outcome: 'DONE', event: failed.id, scope: null }]);
  });

  it('of a registry are listed for every account, which cannot send them to all again', async () => {
    const count = receiver.events().length;
    await prepared.read((store) => new EventStore(store).recordRegistry('tax', 'REGISTRY_TIMEOUT', 0));
    await receiver.untilEvents(count + 1);
    const [paused] = (await eventsOf({}, OTHER_TOKEN)).events;
    expect(paused).toMatchObject({ type: 'registry.paused', data: { registry: 'tax' } });
    const { errors } = await padron.ask(resend, { id: paused.id });
    expect(errors).toEqual((await padron.ask(resend, { id: 'no event' })).errors);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    const stranger = await padron.ask(list, {}, { authorization: 'Bearer an-invented-token' });
    expect([stranger.data.registryEvents, stranger.errors?.[0].extensions.code]).toEqual([null, 'UNAUTHENTICATED']);
  });
});

describe('access to events', () => {
  const rig = engineRig();

  it('needs the scope padron_events if callers have JWTs', async () => {
    const receiver = await startEventReceiver();
    const prepared = await preparePadron(rig, { ...jwtMode, ...receiver.environment });
    await prepared.read((store) => new EventStore(store).recordRegistry('tax', 'REGISTRY_TIMEOUT', 0));
    const padron = await prepared.start();
    const [paused] = await receiver.untilEvents(1);
    const budget = 'mutation { setRegistryBudget(input: { period: DAY, units: 1, alertsAt: [100] }) { id } }';
    const { data } = await askAs(padron, { client_id: 'finance', scope: 'padron_budgets' }, budget);
    const claims = { client_id: 'hr', scope: 'use_buscar_credito' };
    await askAs(padron, claims, CREDIT, { nss: staff[0]?.nss });
    const [, event] = await receiver.untilEvents(2);
    expect(event).toMatchObject({
      type: 'budget.reached',
      data: { budget: data.setRegistryBudget.id, percent: 100, units: 1, spentUnits: 1 },
    });
    for (const query of [list, resend.replace('$id: ID!', '').replace('()', '').replace('$id', `"${event?.id}"`)]) {
      const { errors } = await askAs(padron, { client_id: 'hr', scope: 'padron_ledger padron_audit' }, query);
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(errors?.[0].message).toContain('`padron_events`');
    }
    const seen = await askAs(padron, { scope: 'padron_events' }, list);
    expect(seen.data.registryEvents.events).toMatchObject([
      { id: event?.id, type: 'budget.reached' },
      { id: paused?.id, type: 'registry.paused' },
    ]);
    const sent = [paused?.id, event?.id];
    for (const id of [event?.id, paused?.id]) {
      await askAs(padron, { client_id: 'operator', scope: 'padron_events' }, resend, { id });
      sent.push(id);
      expect((await receiver.untilEvents(sent.length)).map((received) => received.id)).toEqual(sent);
    }
    const done = { client: 'operator', scope: 'padron_events', outcome: 'DONE' };
    expect(await readTrail(padron, '{ action: RESEND_EVENT }')).toMatchObject([done, done]);
    await padron.stop();
    await receiver.close();
  });

  it('shows none without WEBHOOK_URL: they are only logged, and not sent later', async () => {
    const receiver = await startEventReceiver();
    const prepared = await preparePadron(rig);
    const first = await prepared.start();
    await new BatchClient(first).ready(CREDIT, rows);
    await first.stop();
    // Ten seconds later, no other process has sent the event.
    const kept = await prepared.read((store) =>
      store.query(`UPDATE ledger_events SET queued_at = now() - interval '10 seconds' RETURNING type, state`),
    );
    expect(kept).toEqual([{ type: 'batch.ready', state: 'PENDING' }]);
    const silent = await prepared.start();
    const lines = () => silent.log.filter((line) => line.includes('an event has happened'));
    await waitUntil(() => lines().length === 1);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ type: 'batch.ready', rows: 3, units: 0 });
    expect((await silent.ask(list)).data.registryEvents).toEqual({ events: [], next: null });
    expect((await silent.ask(resend, { id: JSON.parse(lines()[0] ?? '').event })).errors).toHaveLength(1);
    await silent.stop();
    const padron = await prepared.start({ environment: receiver.environment });
    await new BatchClient(padron).ready(CREDIT, rows);
    await receiver.untilEvents(1);
    expect((await padron.ask(list)).data.registryEvents.events).toHaveLength(1);
    await padron.stop();
    await receiver.close();
    expect(receiver.events()).toHaveLength(1);
  });
});
