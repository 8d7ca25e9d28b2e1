import { BatchKey } from '../../../src/batch/open-batch';
import { BatchAnswerStore } from '../../../src/batch/run/batch-answer-store';
import type { BatchAnswerDependencies } from '../../../src/batch/run/dependencies';
import { RowUnits } from '../../../src/batch/run/row-units';
import { Semaphore } from '../../../src/batch/semaphore';
import { batchMigrations } from '../../../src/batch/storage/migrations';
import { QuestionStore } from '../../../src/batch/storage/question-store';
import type { AnswerStore, Claim, KeyedQuestion } from '../../../src/calls/answers/answer-store';
import { MemoryAnswerStore } from '../../../src/calls/answers/memory-answer-store';
import { UnauthenticatedError } from '../../../src/registry/answer/answer';
import { RegistryClient } from '../../../src/registry/client/client';
import { openStore } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import { complete, exchangeOf, NOW, questionOf } from '../../support/stores/answer-stores';
import { engineRig } from '../../support/stores/engines';

const batch = 'batch';
const run = 1;
const shared = new MemoryAnswerStore({ seconds: 0, now: () => NOW });
const maxUnits = 3;
const observer = { recordRow: () => undefined, recordUnits: () => undefined, setBatches: () => undefined };

/** The tables of a batch as an answer store, like those in memory and in Redis. */
describe('the answers of a batch', () => {
  const rig = engineRig('embedded');
  const client = new RegistryClient({
    url: 'http://127.0.0.1:1',
    timeoutMs: 1_000,
    concurrency: 1,
    paths: {},
    now: () => NOW,
  });
  const working = new AbortController();
  let store: Store;
  let answers: BatchAnswerDependencies;

  beforeAll(async () => {
    store = await openStore((await rig.settings()).store, batchMigrations);
  });
  afterAll(async () => {
    await store.close();
    await client.close();
  });
  beforeEach(async () => {
    await store.query('DELETE FROM batch_question');
    await store.query('DELETE FROM batch');
    await store.query(
      `INSERT INTO batch (id, account, owner, fingerprint, state, sandbox, uses_server_token, language, retention_days, run, max_units, expires_at)
      VALUES ($1, 'account', '', '', 'RUNNING', false, false, 'en', 1, $2, $3, now())`,
      [batch, run, maxUnits],
    );
    answers = answersOf('worker');
  });

  const answersOf = (worker: string): BatchAnswerDependencies => ({
    batch,
    key: new BatchKey(Buffer.alloc(32)),
    questions: new QuestionStore(store, batch, worker, run, working.signal),
    client,
    shared,
    claims: new Semaphore(8),
    calls: new Semaphore(4),
    answerCounts: new Map(),
  });
  const row = (number: number, ceiling: number | null = null) => new RowUnits(number, ceiling, observer);
  const claim = (question: KeyedQuestion, units = row(1)): Promise<Claim> => {
    const rowStore: AnswerStore = new BatchAnswerStore(answers, units);
    return Promise.resolve(rowStore.claim(question, working));
  };
  const own = (claim: Claim) => {
    if (claim.kind !== 'owned') throw new Error(`not claimed: ${claim.kind}`);
    return claim.call;
  };
  const sums = async () => {
    const [sum] = await store.query('SELECT spent, uncertain, reserved FROM batch');
    return sum;
  };
  const question = questionOf('1');

  it('stores an answer, and returns the row that paid for it', async () => {
    complete(own(await claim(question, row(1))), question, exchangeOf('FOUND'));
    await answers.questions.settled();
    expect(await claim(question, row(2))).toMatchObject({
      kind: 'answered',
      payer: 1,
      isUncertain: false,
      answer: { outcome: 'FOUND', evidence: { units: 1, billing: 'CHARGED' } },
    });
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 0 });
    expect(answers.answerCounts.get('housing')).toBe(1);
  });

  it('stores a failure that may have been charged', async () => {
    complete(own(await claim(question)), question, exchangeOf('UNAVAILABLE'));
    await answers.questions.settled();
    expect(await claim(question, row(2))).toMatchObject({ kind: 'answered', payer: 1, isUncertain: true });
    expect(await sums()).toEqual({ spent: 0, uncertain: 1, reserved: 0 });
    expect(answers.answerCounts.size).toBe(0);
  });

  it('stores nothing after a temporary failure, a rejected token, or a question that was not sent', async () => {
    const { result, checkedAt } = exchangeOf('FOUND');
    const limited = { result: { ...result, status: 429 } as typeof result, checkedAt };
    complete(own(await claim(question)), question, limited);
    own(await claim(question)).fail(new UnauthenticatedError('refused'));
    own(await claim(question)).release();
    expect((await claim(question)).kind).toBe('owned');
    expect(await sums()).toEqual({ spent: 0, uncertain: 0, reserved: 1 });
  });

  it('reports a question as UNKNOWN if its call threw an error', async () => {
    own(await claim(question)).fail(new Error('a bug'));
    await answers.questions.settled();
    expect(await claim(question, row(2))).toMatchObject({
      kind: 'answered',
      isUncertain: true,
      answer: { outcome: 'UNAVAILABLE', problems: [{ code: 'ANSWER_LOST' }] },
    });
    expect(await sums()).toEqual({ spent: 0, uncertain: 1, reserved: 0 });
  });

  it('makes a second worker wait for the answer of the first', async () => {
    const call = own(await claim(question, row(1)));
    answers = answersOf('second worker');
    const waiter = claim(question, row(2));
    complete(call, question, exchangeOf('NOT_FOUND'));
    expect(await waiter).toMatchObject({ kind: 'answered', payer: 1, answer: { outcome: 'NOT_FOUND' } });
  });

  it('claims no question for a row that cannot pay, but returns a stored answer', async () => {
    complete(own(await claim(question, row(1))), question, exchangeOf('FOUND'));
    await answers.questions.settled();
    expect(await claim(question, row(2, 0))).toMatchObject({ kind: 'answered', payer: 1 });
    expect((await claim(questionOf('2'), row(2, 0))).kind).toBe('overBudget');
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 0 });
  });

  it('does not count a stored answer towards the ceiling of a row', async () => {
    complete(own(await claim(question, row(1))), question, exchangeOf('FOUND'));
    await answers.questions.settled();
    const poor = row(2, 1);
    const [held, asked] = await Promise.all([claim(question, poor), claim(questionOf('2'), poor)]);
    expect([held.kind, asked.kind]).toEqual(['answered', 'owned']);
    own(asked).release();
  });

  it('pauses the batch at its ceiling', async () => {
    for (const nss of ['1', '2', '3'])
      complete(own(await claim(questionOf(nss))), questionOf(nss), exchangeOf('FOUND'));
    await answers.questions.settled();
    expect((await claim(questionOf('4'))).kind).toBe('abandoned');
    expect(await store.query('SELECT state, reason FROM batch')).toEqual([
      { state: 'PAUSED', reason: 'UNIT_BUDGET_EXCEEDED' },
    ]);
  });

  it('abandons a claim when its caller aborts', async () => {
    own(await claim(question));
    answers = answersOf('second worker');
    const leaving = new AbortController();
    const waiter = new BatchAnswerStore(answers, row(2)).claim(question, leaving);
    leaving.abort();
    expect((await waiter).kind).toBe('abandoned');
  });
});
