import { OTHER_TOKEN, THROTTLED_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { askPriced } from '../../support/requests/money';

// The service counts calls by its clock, which stays at the beginning of a minute, so that no call waits for its end.
const now = () => new Date('2026-11-22T12:00:10Z');
const padron = padronForTests({ environment: { REPLAY_SECONDS: '30' }, now });

const nssWithCredit = people.filter(({ credit }) => credit).map(({ nss }) => nss);
let used = 0;

/** People about whom no test has asked. Each credit costs one unit. */
function nextPeople(count: number): readonly string[] {
  used += count;
  return nssWithCredit.slice(used - count, used);
}
const credits = (nss: readonly string[]): string =>
  `{ ${nss.map((each, index) => `p${index}: person(nss: "${each}") { credit { outcome evidence { servedFrom } } }`).join(' ')} }`;
const ask = (nss: readonly string[], headers: Readonly<Record<string, string>>) =>
  askPriced(padron, { query: credits(nss) }, headers);
const inOperation = (id: string, units: number) => ({ 'x-operation-id': id, 'x-max-units': String(units) });

describe('an operation that a router splits into several requests', () => {
  it('spends at most its budget over all requests together', async () => {
    const answers = [];
    for (let part = 0; part < 3; part += 1) answers.push(await ask(nextPeople(3), inOperation('split', 3)));
    expect(answers.map(({ unitsSpent }) => unitsSpent)).toEqual(['3', '0', '0']);
    expect(answers[2]?.errors).toEqual([
      expect.objectContaining({
        message:
          'The operation may cost 3 units, but its budget is 3, of which its other requests have left 0. No call was sent.',
        extensions: expect.objectContaining({ code: 'UNIT_BUDGET_EXCEEDED', budget: 3, left: 0 }),
      }),
    ]);
    expect(padron.calls()).toHaveLength(3);
  });

  it('never exceeds its budget, even if all requests arrive at once', async () => {
    await Promise.all([1, 2, 3].map(() => ask(nextPeople(2), inOperation('at-once', 4))));
    expect(padron.calls()).toHaveLength(4);
  });

  it('still returns recently paid answers at no cost after the budget is spent', async () => {
    const paid = nextPeople(2);
    await ask(paid, inOperation('paid', 2));
    const again = await ask(paid, inOperation('paid', 2));
    expect(again.errors).toBeUndefined();
    expect(again.data.p0.credit).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
    expect(padron.calls()).toHaveLength(2);
  });

  it('has a separate budget for each id and each account', async () => {
    const [first, second, third] = [nextPeople(1), nextPeople(1), nextPeople(1)];
    await ask(first, inOperation('one', 1));
    await ask(second, inOperation('two', 1));
    await ask(third, { ...inOperation('one', 1), authorization: `Bearer ${OTHER_TOKEN}` });
    expect(padron.calls()).toHaveLength(3);
  });

  it('gets reserved units back if a call costs less', async () => {
    const headers = { ...inOperation('limited', 2), authorization: `Bearer ${THROTTLED_TOKEN}` };
    // The account may call twice a minute. The third call is rejected and costs nothing.
    await ask(nextPeople(2), headers);
    const third = await ask(nextPeople(1), { ...headers, 'x-max-units': '3' });
    expect(third.data.p0.credit.outcome).toBe('UNAVAILABLE');
    const fourth = await ask(nextPeople(1), { ...headers, 'x-max-units': '3' });
    expect(fourth.errors).toBeUndefined();
  });

  it.each(['', ' ', 'two words', 'ñ', 'x'.repeat(201)])('is rejected if its id cannot be read: %j', async (id) => {
    const answer = await ask(nextPeople(1), { 'x-operation-id': encodeURI(id) === id ? id : 'two words' });
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]).toMatchObject({
      message: 'The header `x-operation-id` must have 1 to 200 visible characters of ASCII.',
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(padron.calls()).toEqual([]);
  });
});

describe('a budget of zero units', () => {
  it('allows recently paid answers and the steps that follow from them', async () => {
    const [nss = ''] = nextPeople(1);
    const query = '{ person(nss: "NSS") { credit { outcome } identity { outcome evidence { servedFrom } } } }';
    const asked = { query: query.replace('NSS', nss) };
    await askPriced(padron, asked);
    expect(padron.calls()).toHaveLength(2);
    const free = await askPriced(padron, asked, { 'x-max-units': '0' });
    expect(free.errors).toBeUndefined();
    expect(free.data.person.identity).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
    expect(padron.calls()).toEqual([]);
  });

  it('rejects an operation that is only partly paid, and reports the price of the rest', async () => {
    const [paid, unpaid] = [nextPeople(1), nextPeople(1)];
    await ask(paid, {});
    const { errors } = await ask([...paid, ...unpaid], { 'x-max-units': '0' });
    expect(errors?.[0]?.message).toBe('The operation may cost 1 unit, but its budget is 0. No call was sent.');
    expect(padron.calls()).toHaveLength(1);
  });
});

describe('an account that has used up its rate limit', () => {
  it('makes no further call, and asks the next question to wait', async () => {
    const headers = { authorization: `Bearer ${THROTTLED_TOKEN}` };
    const before = await ask(nextPeople(1), headers);
    expect(before.data.p0.credit.outcome).not.toBe('FOUND');
    padron.calls();
    const query = credits(nextPeople(1)).replace('evidence { servedFrom }', 'problems { code retryAfter }');
    const { data } = await askPriced(padron, { query }, headers);
    expect(data.p0.credit).toEqual({
      outcome: 'NOT_RUN',
      problems: [{ code: 'RATE_LIMITED', retryAfter: expect.any(Number) }],
    });
    expect(padron.calls()).toEqual([]);
  });
});
