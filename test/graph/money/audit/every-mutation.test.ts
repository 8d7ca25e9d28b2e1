import { randomUUID } from 'node:crypto';
import type { RunningPadron } from '../../../support/padrons/padron';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { WEBHOOK_SECRET } from '../../../support/padrons/webhooks';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { CREDIT, NSS } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from './read-trail';

/** Mutations without a record, and the reason. */
const unrecorded: Readonly<Record<string, string>> = {
  verifySignature: 'It changes nothing in the store. It is a paid call, so the ledger has an entry for it.',
};

const [nss] = NSS;
const rows = NSS.slice(0, 3).map((each) => ({ nss: each }));
const claims = {
  client_id: 'operator',
  scope: 'use_buscar_credito padron_batch padron_budgets padron_ledger padron_ledger_settle padron_erase padron_events',
};

/** Creates what a mutation changes, and returns the text of the mutation. */
type Call = (padron: RunningPadron) => Promise<string>;

const ask = async (padron: RunningPadron, query: string, variables: object = {}) => {
  const { data, errors } = await askAs(padron, claims, query, variables);
  expect(errors).toBeUndefined();
  return data;
};

async function batchIn(padron: RunningPadron, state: string): Promise<string> {
  const input = { operation: CREDIT, rows };
  const create = 'mutation ($input: RegistryBatchInput!) { createRegistryBatch(input: $input) { batch { id } } }';
  const { id } = (await ask(padron, create, { input })).createRegistryBatch.batch;
  await until(padron, id, 'READY');
  if (state === 'READY') return id;
  const maxUnits = state === 'PAUSED' ? 0 : 9;
  await ask(
    padron,
    `mutation { startRegistryBatch(id: "${id}", maxUnits: ${maxUnits}, earlierAnswers: PAY_AGAIN) { batch { id } } }`,
  );
  await until(padron, id, state);
  return id;
}

async function until(padron: RunningPadron, id: string, state: string): Promise<void> {
  for (;;) {
    const { registryBatch } = await ask(padron, `{ registryBatch(id: "${id}") { state } }`);
    if (registryBatch.state === state) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Returns everything that the mutations can change, as the graph returns it. */
const readState = async (padron: RunningPadron) => [
  await readTrail(padron),
  await ask(padron, '{ registryBatches { batches { id state } } registryBudgets { id units } }'),
  await ask(padron, '{ registryLedger { entries { id settlement { units } } } }'),
];

const onBatch =
  (state: string, call: (id: string) => string): Call =>
  async (padron) =>
    `${call(await batchIn(padron, state))} { problems { code } }`;

const calls: Readonly<Record<string, Call>> = {
  createRegistryBatch: async () =>
    `createRegistryBatch(input: { operation: ${JSON.stringify(CREDIT)}, rows: [{ nss: "${nss}" }] }) { problems { code } }`,
  startRegistryBatch: onBatch(
    'READY',
    (id) => `startRegistryBatch(id: "${id}", maxUnits: 0, earlierAnswers: PAY_AGAIN)`,
  ),
  pauseRegistryBatch: onBatch('DONE', (id) => `pauseRegistryBatch(id: "${id}")`),
  resumeRegistryBatch: onBatch('PAUSED', (id) => `resumeRegistryBatch(id: "${id}", maxUnits: 9)`),
  cancelRegistryBatch: onBatch('READY', (id) => `cancelRegistryBatch(id: "${id}")`),
  retryRegistryBatch: onBatch('DONE', (id) => `retryRegistryBatch(id: "${id}", rows: UNKNOWN, maxUnits: 9)`),
  eraseRegistryBatch: onBatch('DONE', (id) => `eraseRegistryBatch(id: "${id}")`),
  setRegistryBudget: async () => 'setRegistryBudget(input: { client: "kiosk", period: DAY, units: 5 }) { id }',
  removeRegistryBudget: async (padron) => {
    const set = 'mutation { setRegistryBudget(input: { tag: "night", period: DAY, units: 5 }) { id } }';
    return `removeRegistryBudget(id: "${(await ask(padron, set)).setRegistryBudget.id}")`;
  },
  settleRegistryBilling: async (padron) => {
    const check = `{ person(nss: "${card('html', 'nss')}") { credit { evidence { ledgerId } } } }`;
    const { ledgerId } = (await ask(padron, check)).person.credit.evidence;
    return `settleRegistryBilling(input: [{ id: "${ledgerId}", billing: NOT_CHARGED }]) { id }`;
  },
  resendRegistryEvent: async (padron) => {
    await batchIn(padron, 'READY');
    const { registryEvents } = await ask(padron, '{ registryEvents(first: 1) { events { id } } }');
    return `resendRegistryEvent(id: "${registryEvents.events[0].id}") { id }`;
  },
  endRegistryOperation: async (padron) => {
    const id = `operation-${randomUUID()}`;
    const headers = { 'x-operation-id': id, 'x-operation-keep': '1h' };
    expect((await askAs(padron, claims, '{ person { nss } }', {}, headers)).errors).toBeUndefined();
    return `endRegistryOperation(id: "${id}") { spentUnits }`;
  },
  eraseRegistrySubject: async () => `eraseRegistrySubject(subject: { nss: "${nss}" }) { id }`,
};

const expected: Readonly<Record<string, object>> = {
  createRegistryBatch: { action: 'CREATE_BATCH', outcome: 'DONE', scope: 'padron_batch', rows: 1 },
  startRegistryBatch: { action: 'START_BATCH', outcome: 'DONE', scope: 'padron_batch', units: 0 },
  // A batch that has ended cannot be paused. The refused attempt is recorded too.
  pauseRegistryBatch: { action: 'PAUSE_BATCH', outcome: 'REFUSED', problem: 'BATCH_STATE' },
  resumeRegistryBatch: { action: 'RESUME_BATCH', outcome: 'DONE', units: 9 },
  cancelRegistryBatch: { action: 'CANCEL_BATCH', outcome: 'DONE' },
  retryRegistryBatch: { action: 'RETRY_BATCH', outcome: 'DONE', retried: 'UNKNOWN', units: 9 },
  eraseRegistryBatch: { action: 'ERASE_BATCH', outcome: 'DONE' },
  setRegistryBudget: { action: 'SET_BUDGET', outcome: 'DONE', scope: 'padron_budgets', units: 5 },
  removeRegistryBudget: { action: 'REMOVE_BUDGET', outcome: 'DONE', scope: 'padron_budgets' },
  settleRegistryBilling: { action: 'SETTLE_BILLING', outcome: 'DONE', scope: 'padron_ledger_settle', units: 0 },
  resendRegistryEvent: { action: 'RESEND_EVENT', outcome: 'DONE', scope: 'padron_events' },
  endRegistryOperation: { action: 'END_OPERATION', outcome: 'DONE', units: 0 },
  eraseRegistrySubject: {
    action: 'ERASE_SUBJECT',
    outcome: 'DONE',
    scope: 'padron_erase',
    entries: expect.any(Number),
  },
};

describe('every mutation', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig, { ...jwtMode, WEBHOOK_URL: 'http://127.0.0.1:9', WEBHOOK_SECRET });

  const mutations = Object.keys(buildGraph().schema.getMutationType()?.getFields() ?? {});

  it('is tested here, or has a reason to leave no record', () => {
    expect([...Object.keys(calls), ...Object.keys(unrecorded)].sort()).toEqual([...mutations].sort());
  });

  it.each(Object.keys(calls))('does not run in a dry run: %s', async (name) => {
    const call = await calls[name]?.(padron);
    const before = await readState(padron);
    const { data, errors } = await askAs(padron, claims, `mutation { ${call} }`, {}, { 'x-dry-run': 'true' });
    expect({ data, errors }).toEqual({ data: null, errors: undefined });
    expect(await readState(padron)).toEqual(before);
  });

  // A batch that has ended is not paused, so that mutation fails, and runs again.
  it.each(Object.keys(calls).filter((name) => name !== 'pauseRegistryBatch'))(
    'runs once with an idempotency key, and shows its result twice: %s',
    async (name) => {
      const mutation = `mutation { ${await calls[name]?.(padron)} }`;
      const before = await readTrail(padron);
      const key = { 'idempotency-key': `once ${name}`.replace(' ', '-') };
      const first = await askAs(padron, claims, mutation, {}, key);
      expect(first.errors).toBeUndefined();
      const second = await askAs(padron, claims, mutation, {}, key);
      expect(second).toMatchObject({
        data: first.data,
        errors: undefined,
        headers: { 'idempotency-replayed': 'true' },
      });
      expect(await readTrail(padron)).toHaveLength(before.length + 1);
    },
  );

  it('that is refused runs again with its idempotency key', async () => {
    const mutation = `mutation { ${await calls.pauseRegistryBatch?.(padron)} }`;
    const before = await readTrail(padron);
    const key = { 'idempotency-key': 'refused' };
    for (const _time of [1, 2]) {
      const { data, headers } = await askAs(padron, claims, mutation, {}, key);
      expect(data.pauseRegistryBatch.problems).toEqual([{ code: 'BATCH_STATE' }]);
      expect(headers).not.toHaveProperty('idempotency-replayed');
    }
    expect(await readTrail(padron)).toHaveLength(before.length + 2);
  });

  it.each(mutations.filter((name) => unrecorded[name] === undefined))('leaves one record: %s', async (name) => {
    const call = await calls[name]?.(padron);
    const before = await readTrail(padron);
    const answer = await askAs(padron, claims, `mutation { ${call} }`);
    expect(answer.errors).toBeUndefined();
    const [record, ...older] = await readTrail(padron);
    expect(older).toEqual(before);
    expect(record).toMatchObject({
      client: 'operator',
      requestId: answer.headers['x-request-id'],
      ...(name.endsWith('Batch') ? { batch: expect.stringMatching(/^[\w-]{22}$/) } : {}),
      ...expected[name],
    });
    if (record.batch !== undefined)
      expect((await readTrail(padron, `{ batch: "${record.batch}" }`)).map(({ id }) => id)).toContain(record.id);
  });
});
