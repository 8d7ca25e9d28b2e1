import { UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import type { Failure } from '../../../../src/extensions/sandbox/test-cards/failures';
import { peopleFields } from '../../../support/operations/people-fields';
import { type GraphqlAnswer, type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { card } from '../../../support/sandbox/cards';

let padron: RunningPadron;
let down: RunningPadron;
beforeAll(async () => {
  [padron, down] = await Promise.all([runPadron(), runPadron()]);
  await down.sandbox.close();
});
afterAll(() => Promise.all([padron.stop(), down.stop()]));
beforeEach(() => void padron.calls());

const failures: readonly (readonly [Failure, string, string, string, boolean, number])[] = [
  ['bad-request', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED', false, 400],
  ['unprocessable', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED', false, 422],
  ['unprocessable-receipts', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED', false, 422],
  ['forbidden', 'NOT_PERMITTED', 'MISSING_PERMISSION', 'NOT_CHARGED', false, 403],
  ['rate-limited-for-a-day', 'UNAVAILABLE', 'RATE_LIMITED', 'NOT_CHARGED', true, 429],
  ['IMSS_SESSION_REQUIRED', 'UNAVAILABLE', 'IMSS_SESSION_REQUIRED', 'NOT_CHARGED', false, 401],
  ['IMSS_SESSION_EXPIRED', 'UNAVAILABLE', 'IMSS_SESSION_EXPIRED', 'NOT_CHARGED', false, 401],
  ['IMSS_TRANSPORT_ERROR', 'UNAVAILABLE', 'IMSS_TRANSPORT_ERROR', 'UNKNOWN', true, 502],
  ['server-error', 'UNAVAILABLE', 'REGISTRY_ERROR', 'UNKNOWN', true, 500],
  ['unavailable', 'UNAVAILABLE', 'REGISTRY_ERROR', 'UNKNOWN', true, 503],
  ['html', 'UNAVAILABLE', 'UNUSABLE_ANSWER', 'UNKNOWN', true, 200],
];

const answerOf = ({ data }: GraphqlAnswer) => (data.person ?? data).answer;

describe.each(peopleFields)('$field', ({ endpoint, units, identifier, path, query, ...samples }) => {
  const ask = (value: string, headers = {}) => padron.ask(query, { value }, headers);

  it('finds the record, and reports its cost', async () => {
    const before = padron.spent();
    const answer = await ask(samples.existing);
    expect(answer.errors).toBeUndefined();
    expect(answerOf(answer)).toEqual({
      outcome: 'FOUND',
      payload: samples.nothing === null ? expect.any(Object) : [expect.any(Object)],
      problems: [],
      evidence: {
        endpoint,
        status: 200,
        units,
        billing: 'CHARGED',
        servedFrom: 'LIVE',
        validationCode: expect.stringMatching(/^\w{20}$/),
        message: 'Exitoso',
        checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    });
    expect(padron.spent() - before).toBe(units);
    expect(padron.calls()).toEqual([endpoint]);
  });

  it('reports NOT_FOUND as a paid answer with its own proof', async () => {
    const before = padron.spent();
    const answer = answerOf(await ask(samples.unused));
    expect(answer).toMatchObject({
      outcome: 'NOT_FOUND',
      payload: samples.nothing,
      problems: [],
      evidence: { endpoint, status: 404, units, billing: 'CHARGED', validationCode: expect.stringMatching(/^\w{20}$/) },
    });
    expect(padron.spent() - before).toBe(units);
    expect(padron.calls()).toEqual([endpoint]);
  });

  it.each(Object.entries(samples.wrong))('rejects «%s» with %s, without a call', async (value, code) => {
    const answer = await ask(value);
    expect(answer.errors).toBeUndefined();
    expect(answerOf(answer)).toMatchObject({
      outcome: 'INVALID_INPUT',
      payload: null,
      problems: [{ code, path, retryable: false }],
      evidence: { endpoint, servedFrom: 'NOT_SENT', billing: 'NOT_CHARGED', units: 0, status: null, checkedAt: null },
    });
    expect(padron.calls()).toEqual([]);
  });

  it.each(failures)('reports «%s» as %s, %s', async (failure, outcome, code, billing, retryable, status) => {
    const before = padron.spent();
    const answer = await ask(card(failure, identifier));
    expect(answer.errors).toBeUndefined();
    const { payload, problems, ...rest } = answerOf(answer);
    expect(rest).toMatchObject({ outcome, evidence: { endpoint, status, billing, units: 0, servedFrom: 'LIVE' } });
    expect({ payload, problems }).toMatchObject({ payload: null, problems: [{ code, retryable }] });
    expect(problems).toHaveLength(1);
    // Units of unknown billing stay reserved, so the ledger is between the reported units and their sum with the price.
    const taken = padron.spent() - before;
    expect(taken).toBeGreaterThanOrEqual(0);
    expect(taken).toBeLessThanOrEqual(billing === 'UNKNOWN' ? units : 0);
    expect(padron.calls()).toEqual([endpoint]);
  });

  it.each<Failure>(['bad-request', 'unprocessable'])(
    "points to the argument that the registry rejected («%s»), with the registry's message",
    async (failure) => {
      const { problems } = answerOf(await ask(card(failure, identifier)));
      expect(problems).toMatchObject([{ path, message: expect.stringMatching(/^El campo \w+ /) }]);
    },
  );

  it('reports when to retry if the service said so', async () => {
    const { problems } = answerOf(await ask(card('rate-limited-for-a-day', identifier)));
    expect(problems[0].retryAfter).toBe(86_400);
  });

  it('keeps an answer about another person, with a warning', async () => {
    const answer = answerOf(await ask(card('somebody-else', identifier)));
    expect(answer).toMatchObject({
      outcome: 'FOUND',
      payload: samples.nothing === null ? expect.any(Object) : expect.any(Array),
      problems: [{ code: 'ANSWER_MISMATCH', retryable: false }],
      evidence: { billing: 'CHARGED', units },
    });
    expect(padron.calls()).toEqual([endpoint]);
  });

  it('is not charged if the service is down', async () => {
    const answer = await down.ask(query, { value: samples.existing });
    expect(answer.errors).toBeUndefined();
    expect(answerOf(answer)).toMatchObject({
      outcome: 'UNAVAILABLE',
      payload: null,
      problems: [{ code: 'REGISTRY_UNREACHABLE', retryable: true }],
      evidence: { endpoint, status: null, validationCode: null, billing: 'NOT_CHARGED', units: 0 },
    });
  });

  it('spends no units in sandbox mode, and reports it', async () => {
    const before = padron.spent();
    const answer = answerOf(await ask(samples.existing, { 'x-sandbox': 'true' }));
    expect(answer).toMatchObject({
      outcome: 'FOUND',
      evidence: { servedFrom: 'SANDBOX', units: 0, billing: 'NOT_CHARGED', status: 200 },
    });
    expect(padron.callsInFull()).toMatchObject([{ endpoint, sandbox: true, units: 0 }]);
    expect(padron.spent()).toBe(before);
  });

  it.each([
    ['no token', ''],
    ['a token that the service does not know', 'Bearer nobody'],
    ['a token in another scheme', `Basic ${UNPERMITTED_TOKEN}`],
    ['a token without a scheme', UNPERMITTED_TOKEN],
  ])('is an error of this field with %s', async (_, authorization) => {
    const { data, errors, status } = await ask(samples.existing, { authorization });
    expect(status).toBe(200);
    const below = data.person === undefined ? data : data.person;
    expect(below).toEqual({ answer: null });
    const place = data.person === undefined ? ['answer'] : ['person', 'answer'];
    expect(errors).toMatchObject([{ path: place, extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(padron.calls()).toEqual(authorization === 'Bearer nobody' ? [endpoint] : []);
  });
});

it.each(peopleFields.filter(({ permission }) => permission !== null))(
  '$field names the permission that the account lacks',
  async ({ query, existing, permission, endpoint }) => {
    const answer = await padron.ask(query, { value: existing }, { authorization: `Bearer ${UNPERMITTED_TOKEN}` });
    expect(answerOf(answer)).toMatchObject({
      outcome: 'NOT_PERMITTED',
      payload: null,
      problems: [{ code: 'MISSING_PERMISSION', message: expect.stringContaining(String(permission)) }],
      evidence: { status: 403, billing: 'NOT_CHARGED', units: 0 },
    });
    expect(padron.spent(UNPERMITTED_TOKEN)).toBe(0);
    expect(padron.calls()).toEqual([endpoint]);
  },
);
