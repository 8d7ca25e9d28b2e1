import { askAs, jwtMode } from '../../graph/money/audit/read-trail';
import { base64Input, credentialOf, TODAY, VERIFY, verifyMutation } from '../../support/keys/signatures';
import type { GraphqlAnswer } from '../../support/padrons/padron';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { nss } from '../../support/requests/credit-request';
import { engineRig, engines } from '../../support/stores/engines';

const signature = { input: base64Input(credentialOf('person')) };
const isReplay = ({ headers }: GraphqlAnswer): boolean => headers['idempotency-replayed'] === 'true';
const isKept = ({ headers }: GraphqlAnswer): boolean => headers['idempotency-kept'] !== 'false';
const codesOf = ({ errors = [] }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);
const keyed = (key: string) => ({ 'idempotency-key': key });
const operator = {
  client_id: 'operator',
  scope: 'use_sat_verificar_firma_electronica padron_budgets padron_erase padron_ledger',
};
const setBudget = (client: string, units: number) =>
  `mutation { setRegistryBudget(input: { client: "${client}", period: DAY, units: ${units} }) { id units } }`;

describe.each(engines)('idempotency keys of callers with JWTs (%s)', (engine) => {
  const padron = ledgerPadronForTests(
    engineRig(engine),
    { ...jwtMode, PURPOSES: 'hiring,credit' },
    { now: () => TODAY },
  );
  beforeEach(() => void padron.calls());
  const budgets = async () =>
    (await askAs(padron, operator, '{ registryBudgets { client units } }')).data.registryBudgets;

  it('belong to a client: another client runs its own operation with the same key', async () => {
    const kiosk = { ...operator, client_id: 'kiosk' };
    const first = await askAs(padron, operator, verifyMutation, signature, keyed('shared'));
    expect(first.data.verifySignature.outcome).toBe('FOUND');
    expect(isReplay(await askAs(padron, kiosk, verifyMutation, signature, keyed('shared')))).toBe(false);
    expect(isReplay(await askAs(padron, kiosk, verifyMutation, signature, keyed('shared')))).toBe(true);
    expect(padron.calls()).toEqual([VERIFY, VERIFY]);
  });

  it('show no result to a token of the client that has other scopes, or is not valid', async () => {
    await askAs(padron, operator, setBudget('scoped', 5), {}, keyed('scoped'));
    const without = { ...operator, scope: 'padron_ledger' };
    expect(codesOf(await askAs(padron, without, setBudget('scoped', 5), {}, keyed('scoped')))).toEqual([
      'IDEMPOTENCY_KEY_REUSED',
    ]);
    const invalid = await padron.ask(setBudget('scoped', 5), {}, { ...keyed('scoped'), authorization: 'Bearer x' });
    expect(codesOf(invalid)).toEqual(['UNAUTHENTICATED']);
  });

  it('are compared with the whole operation: document, variables in any order, and name', async () => {
    const text = 'mutation Set($input: RegistryBudgetInput!) { setRegistryBudget(input: $input) { id } }';
    const input = { client: 'ordered', period: 'DAY', units: 7 };
    await askAs(padron, operator, text, { input }, keyed('ordered'));
    const reordered = { units: 7, period: 'DAY', client: 'ordered' };
    expect(
      isReplay(await askAs(padron, operator, text.replace('($', ' (\n$'), { input: reordered }, keyed('ordered'))),
    ).toBe(true);
    for (const [changed, value] of [
      [text, { ...input, units: 8 }],
      [text.replace('{ id }', '{ id units }'), input],
      [text.replace('Set', 'Other'), input],
    ] as const)
      expect(codesOf(await askAs(padron, operator, changed, { input: value }, keyed('ordered')))).toEqual([
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    expect((await budgets()).filter(({ client }: { client: string }) => client === 'ordered')).toMatchObject([
      { units: 7 },
    ]);
  });

  it('cover all fields of a request: it is kept if one of them succeeded, and runs again if all failed', async () => {
    const both = `mutation { good: setRegistryBudget(input: { client: "partly", period: DAY, units: 1 }) { id }
      bad: setRegistryBudget(input: { client: "partly", period: DAY, units: -1 }) { id } }`;
    const first = await askAs(padron, operator, both, {}, keyed('partly'));
    const second = await askAs(padron, operator, both, {}, keyed('partly'));
    expect([codesOf(first), first.data.bad]).toEqual([['BAD_USER_INPUT'], null]);
    expect(second).toMatchObject({ data: first.data, errors: first.errors });
    expect(isReplay(second)).toBe(true);
    const unchanged = setBudget('failing', -1).replace('{ set', '{ __typename set');
    const failing = await askAs(padron, operator, unchanged, {}, keyed('failing'));
    expect(codesOf(failing)).toEqual(['BAD_USER_INPUT']);
    expect(
      (await askAs(padron, operator, setBudget('failing', 3), {}, keyed('failing'))).data.setRegistryBudget.units,
    ).toBe(3);
  });

  it('are refused if they are malformed, before anything runs', async () => {
    for (const key of [' ', 'two words', 'x'.repeat(256), 'ñ']) {
      const answer = await askAs(padron, operator, verifyMutation, signature, keyed(key));
      expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_USER_INPUT']]);
      expect(answer.errors?.[0].message).toMatch(/Idempotency-Key.*1 to 255 visible characters/);
    }
    expect(padron.calls()).toEqual([]);
    expect((await askAs(padron, operator, setBudget('longest', 1), {}, keyed('~'.repeat(255)))).errors).toBeUndefined();
  });

  it('are ignored by queries and by dry runs', async () => {
    const query = `{ person(nss: "${nss}") { credit { outcome } } registryBudgets { id } }`;
    for (const _time of [1, 2]) expect(isReplay(await askAs(padron, operator, query, {}, keyed('query')))).toBe(false);
    await askAs(padron, operator, setBudget('dry', 1), {}, { ...keyed('dry'), 'x-dry-run': 'true' });
    expect(isReplay(await askAs(padron, operator, setBudget('dry', 1), {}, keyed('dry')))).toBe(false);
    const replayed = await askAs(padron, operator, setBudget('dry', 1), {}, { ...keyed('dry'), 'x-max-units': '0' });
    expect(isReplay(replayed)).toBe(true);
  });

  it('lose the results of an account if it erases a person, but their operations do not run again', async () => {
    await askAs(padron, operator, verifyMutation, signature, keyed('erased'));
    padron.calls();
    const erase = `mutation { eraseRegistrySubject(subject: { rfc: "${signature.input.rfc}" }) { id entries } }`;
    const erasure = await askAs(padron, operator, erase, {}, keyed('erasure'));
    expect(erasure.errors).toBeUndefined();
    const lost = await askAs(padron, operator, verifyMutation, signature, keyed('erased'));
    expect([lost.status, codesOf(lost)]).toEqual([400, ['IDEMPOTENCY_RESULT_LOST']]);
    expect(padron.calls()).toEqual([]);
    const repeated = await askAs(padron, operator, erase, {}, keyed('erasure'));
    expect([repeated.data, isReplay(repeated)]).toEqual([erasure.data, true]);
  });

  it('lose the results of an account if it erases a batch, whose rows they may show', async () => {
    const worker = { ...operator, scope: `${operator.scope} padron_batch use_buscar_credito` };
    const create = `mutation { createRegistryBatch(input: {
      operation: "query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }", rows: [{ nss: "${nss}" }]
    }) { batch { id rows(first: 1) { rows { number state } } } } }`;
    const created = await askAs(padron, worker, create, {}, keyed('batch'));
    expect(isReplay(await askAs(padron, worker, create, {}, keyed('batch')))).toBe(true);
    const erase = `mutation { eraseRegistryBatch(id: "${created.data.createRegistryBatch.batch.id}") { batch { state } } }`;
    const erasure = await askAs(padron, worker, erase, {}, keyed('batch-erasure'));
    expect(erasure).toMatchObject({ data: { eraseRegistryBatch: { batch: { state: 'ERASED' } } } });
    expect(codesOf(await askAs(padron, worker, create, {}, keyed('batch')))).toEqual(['IDEMPOTENCY_RESULT_LOST']);
    const repeated = await askAs(padron, worker, erase, {}, keyed('batch-erasure'));
    expect([repeated.data, isReplay(repeated)]).toEqual([erasure.data, true]);
  });

  it('keep the result if a batch is erased that it does not show', async () => {
    await askAs(padron, operator, setBudget('kept', 5), {}, keyed('kept'));
    const kiosk = { client_id: 'kiosk', scope: 'padron_batch' };
    const create = `mutation { createRegistryBatch(input: { operation: "query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }" }) { batch { id } } }`;
    const { batch } = (await askAs(padron, kiosk, create)).data.createRegistryBatch;
    await askAs(padron, kiosk, `mutation { eraseRegistryBatch(id: "${batch.id}") { batch { state } } }`);
    expect(isReplay(await askAs(padron, operator, setBudget('kept', 5), {}, keyed('kept')))).toBe(true);
  });

  it.each([
    ['x-purpose', 'hiring', 'credit'],
    ['x-tag', 'north', 'south'],
    ['x-reference', 'file A', 'file B'],
  ])('are compared with the header %s', async (name, value, changedValue) => {
    const repeat = (headers: Readonly<Record<string, string>>) =>
      askAs(padron, operator, setBudget('labelled', 5), {}, { ...keyed(name), ...headers });
    await repeat({ [name]: value });
    expect(isReplay(await repeat({ [name]: value }))).toBe(true);
    for (const changed of [{ [name]: changedValue }, {}] as const)
      expect(codesOf(await repeat(changed))).toEqual(['IDEMPOTENCY_KEY_REUSED']);
  });

  it('belong to the person of a JWT that names no client', async () => {
    const { client_id: _client, ...nameless } = operator;
    const holders = ['04159600263', 'LOMA850101HDFPRR09', ''].map((sub) =>
      sub === '' ? nameless : { ...nameless, sub },
    );
    const verify = async (claims: (typeof holders)[number]): Promise<boolean> =>
      isReplay(await askAs(padron, claims, verifyMutation, signature, keyed('nameless')));
    for (const holder of holders) expect(await verify(holder)).toBe(false);
    for (const holder of holders) expect(await verify(holder)).toBe(true);
    expect(padron.calls()).toEqual([VERIFY, VERIFY, VERIFY]);
  });

  it('do not keep a result over 64 kB: its response says so, and a second request runs nothing', async () => {
    const worker = { ...operator, scope: 'padron_batch' };
    const create = (rows: number) => `mutation { createRegistryBatch(input: {
      operation: "query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }"
      rows: [${`{ nss: "${nss}" } `.repeat(rows)}]
    }) { batch { id rows(first: 500) { rows { number ref state attempts units uncertainUnits data spent: units problems { code } evidence { endpoint } } } } } }`;
    const small = await askAs(padron, worker, create(50), {}, keyed('small'));
    expect([small.data.createRegistryBatch.batch.rows.rows.length, isKept(small)]).toEqual([50, true]);
    const large = await askAs(padron, worker, create(500), {}, keyed('large'));
    expect(JSON.stringify(large.data).length).toBeGreaterThan(64_000);
    expect([large.errors, isKept(large)]).toEqual([undefined, false]);
    const second = await askAs(padron, worker, create(500), {}, keyed('large'));
    expect([second.status, codesOf(second)]).toEqual([400, ['IDEMPOTENCY_RESULT_LOST']]);
    const { registryBatches } = (await askAs(padron, worker, '{ registryBatches { batches { id } } }')).data;
    const listed = registryBatches.batches.map(({ id }: { id: string }) => id);
    expect(listed.slice(0, 2)).toEqual([large, small].map(({ data }) => data.createRegistryBatch.batch.id));
  });

  it('do not cover variables that the operation does not declare, however deeply they are nested', async () => {
    const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
    const first = await askAs(padron, operator, setBudget('undeclared', 1), { deep }, keyed('undeclared'));
    const second = await askAs(padron, operator, setBudget('undeclared', 1), { other: 1 }, keyed('undeclared'));
    expect([first.errors, isReplay(second), second.data]).toEqual([undefined, true, first.data]);
  });
});
