import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { ledgerPadronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

/** The licences need the name from the credit. */
const PROFILE = `query Profile($nss: NSS!) { person(nss: $nss) { credit { outcome } licences { outcome } } }`;
const EARLIER = 'earlierAnswers { questions latestAt estimatedUnits batches { id name } } estimate { estimatedUnits }';
const SECRET = 'a-secret-shared-with-the-identity-provider';
const forbidden = { status: 403, json: { success: false, message: 'x' } };
const rowsOf = (people: readonly string[]) => people.map((nss) => ({ nss }));
const [first = '', second = '', third = '', fourth = ''] = NSS;

describe.each(engines)('a batch that asks again what an earlier batch has asked, on the %s store', (engine) => {
  const padron = proxiedPadronForTests({ REPLAY_SECONDS: '0', REUSE_DAYS: '30' }, engineRig(engine));
  const client = new BatchClient(padron);

  const earlierOf = async (id: string) =>
    (await client.ask(`query($id: ID!) { registryBatch(id: $id) { ${EARLIER} } }`, { id })).registryBatch;
  const create = async (operation: string, people: readonly string[], input: object = {}) => {
    const { batch, problems } = await client.create({ operation, rows: rowsOf(people), ...input });
    expect(problems).toEqual([]);
    await client.until(batch.id, 'READY');
    padron.calls();
    return { id: batch.id as string, ...(await earlierOf(batch.id)) };
  };
  const start = (id: string, choice = '') =>
    client.change(`startRegistryBatch(id: "${id}", maxUnits: 50 ${choice && `earlierAnswers: ${choice}`})`);
  /** Runs a batch to its end, and returns its progress and its calls. */
  const run = async (id: string, choice = '') => {
    expect((await start(id, choice)).problems).toEqual([]);
    const { progress } = await client.until(id, 'DONE');
    return { progress, calls: padron.calls().length };
  };

  it('says how many, when and in which, and does not start before the caller has chosen', async () => {
    const before = await create(CREDIT, [first, second], { name: 'plantilla.csv' });
    expect(before.earlierAnswers).toBeNull();
    expect(await run(before.id)).toMatchObject({ progress: { spentUnits: 2 }, calls: 2 });
    const { id, earlierAnswers, estimate } = await create(CREDIT, [first, second, third, first]);
    expect(estimate).toEqual({ estimatedUnits: 3 });
    expect(earlierAnswers).toEqual({
      questions: 2,
      latestAt: expect.stringMatching(/^20/),
      estimatedUnits: 1,
      batches: [{ id: before.id, name: 'plantilla.csv' }],
    });
    const { batch, problems } = await start(id);
    expect([batch.state, batch.startProblem.code]).toEqual(['READY', 'EARLIER_ANSWERS']);
    expect(problems).toEqual([
      {
        code: 'EARLIER_ANSWERS',
        message: expect.stringMatching(
          /^Earlier batches \(plantilla\.csv\) have answered 2 questions of this batch, the latest on \d{4}-\d\d-\d\d \d\d:\d\d\. Choose with `earlierAnswers`, or `--earlier` on the command line: use these answers \(USE, `use`: 1 unit\) or ask again \(PAY_AGAIN, `pay`: 3 units\)\.$/,
        ),
      },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it('uses them free of charge, with their age, and the price follows', async () => {
    const { id } = await create(CREDIT, [first, second, third, first]);
    expect(await run(id, 'USE')).toMatchObject({ progress: { done: 4, spentUnits: 1, savedUnits: 3 }, calls: 1 });
    expect((await earlierOf(id)).estimate).toEqual({ estimatedUnits: 1 });
    const rows = await client.rows(id);
    expect(rows.map(({ data }) => data.person.credit.evidence.servedFrom)).toEqual(['KEPT', 'KEPT', 'LIVE', 'KEPT']);
    expect(rows.map(({ data }) => data.person.credit.outcome)).toEqual(['FOUND', 'FOUND', 'FOUND', 'FOUND']);
  });

  it('pays again if the caller says so', async () => {
    const { id } = await create(CREDIT, [first, second]);
    expect(await run(id, 'PAY_AGAIN')).toMatchObject({ progress: { spentUnits: 2, savedUnits: 0 }, calls: 2 });
    expect((await earlierOf(id)).estimate).toEqual({ estimatedUnits: 2 });
  });

  it('uses an identifier that an earlier answer has, and asks what only that identifier finds', async () => {
    const { id, earlierAnswers } = await create(PROFILE, [first]);
    expect(earlierAnswers).toMatchObject({ questions: 1, estimatedUnits: 1 });
    expect(await run(id, 'USE')).toMatchObject({ progress: { done: 1, spentUnits: 1 }, calls: 1 });
  });

  it('does not count a question that failed', async () => {
    padron.proxy.tamper(({ bytes }) => (bytes.includes(fourth) ? forbidden : null));
    const { id } = await create(CREDIT, [fourth, getCard('bad-request', 'nss').value]);
    await run(id);
    padron.proxy.reset();
    expect((await create(CREDIT, [fourth, getCard('bad-request', 'nss').value])).earlierAnswers).toBeNull();
  });

  it('takes maxAge as the choice, and uses no answer that is older', async () => {
    const young = await create(CREDIT, [first], { maxAge: '1d' });
    expect(young.estimate).toEqual({ estimatedUnits: 0 });
    expect(await run(young.id)).toMatchObject({ progress: { spentUnits: 0 }, calls: 0 });
    const none = await create(CREDIT, [first], { maxAge: '0s' });
    expect([none.earlierAnswers, none.estimate]).toEqual([null, { estimatedUnits: 1 }]);
    expect(await run(none.id)).toMatchObject({ progress: { spentUnits: 1 }, calls: 1 });
    const again = await create(CREDIT, [first], { maxAge: '1d' });
    expect(await run(again.id, 'PAY_AGAIN')).toMatchObject({ progress: { spentUnits: 1 }, calls: 1 });
  });

  it('never uses the answer of a batch that was erased', async () => {
    const { id } = await create(CREDIT, [third]);
    await run(id, 'PAY_AGAIN');
    const listed = await client.ask('{ registryBatches(first: 100) { batches { id } } }');
    for (const batch of listed.registryBatches.batches) await client.change(`eraseRegistryBatch(id: "${batch.id}")`);
    expect((await create(CREDIT, [first, second, third])).earlierAnswers).toBeNull();
  });
});

describe.each(engines)('the answers of earlier batches with JWTs, on the %s store', (engine) => {
  const environment = {
    REGISTRY_TOKEN: OTHER_TOKEN,
    JWT_SECRET: SECRET,
    PURPOSES: 'hiring,credit',
    REPLAY_SECONDS: '0',
  };
  const padron = ledgerPadronForTests(engineRig(engine), environment);
  const as = (azp: string, ...scopes: readonly string[]) => {
    const scope = ['padron_batch', 'use_buscar_credito', ...scopes].join(' ');
    return new BatchClient(padron, signedBySecret(SECRET, { scope, azp }));
  };
  const create = async (client: BatchClient, people: readonly string[], purpose: string) => {
    const { batch } = await client.create({ operation: CREDIT, rows: rowsOf(people), purpose });
    await client.until(batch.id, 'READY');
    const found = await client.ask(`{ registryBatch(id: "${batch.id}") { earlierAnswers { questions } } }`);
    return { id: batch.id as string, questions: found.registryBatch.earlierAnswers?.questions ?? 0 };
  };
  const start = (client: BatchClient, id: string, choice: string) =>
    client.change(`startRegistryBatch(id: "${id}", maxUnits: 50, earlierAnswers: ${choice})`);

  it('are only found by their own client, for their own purpose', async () => {
    const payroll = as('payroll');
    await payroll.run((await create(payroll, [first, second], 'hiring')).id);
    expect((await create(payroll, [first, second], 'hiring')).questions).toBe(2);
    expect((await create(payroll, [first, second], 'credit')).questions).toBe(0);
    expect((await create(as('intern'), [first, second], 'hiring')).questions).toBe(0);
    expect((await create(as('auditor', 'padron_batches_all'), [first, second], 'hiring')).questions).toBe(0);
  });

  it('are never used for a person who was erased, whether before the price or between the price and the start', async () => {
    const officer = as('officer', 'padron_erase');
    const erase = (nss: string) =>
      officer.ask(`mutation { eraseRegistrySubject(subject: { nss: "${nss}" }) { rows } }`);
    await officer.run((await create(officer, [first, second, third], 'hiring')).id);
    await erase(first);
    const later = await create(officer, [first, second, third], 'hiring');
    expect(later.questions).toBe(2);
    await erase(second);
    const last = await create(officer, [second, third], 'hiring');
    expect(last.questions).toBe(1);
    padron.calls();
    await start(officer, last.id, 'USE');
    expect(await officer.until(last.id, 'DONE')).toMatchObject({ progress: { done: 2, spentUnits: 1 } });
    await start(officer, later.id, 'USE');
    // The row of the person who was erased after the price is erased, too.
    expect(await officer.until(later.id, 'DONE')).toMatchObject({ progress: { done: 2, erased: 1, spentUnits: 1 } });
    expect(padron.calls()).toHaveLength(2);
  });
});
