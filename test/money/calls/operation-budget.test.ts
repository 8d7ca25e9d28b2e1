import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { jwtMode } from '../../graph/money/audit/read-trail';
import { bearer } from '../../support/keys/identity-provider';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';
import { indebted } from '../../support/requests/credit-request';
import { askPriced } from '../../support/requests/money';

// The service counts calls by its clock, which stays at the beginning of a minute, so that no call waits for its end.
const now = () => new Date('2026-11-22T12:00:10Z');
const padron = padronForTests({ environment: { REPLAY_SECONDS: '30' }, now });

let used = 0;

/** People about whom no test has asked. Each credit costs one unit. */
function nextPeople(count: number): readonly string[] {
  used += count;
  return indebted.slice(used - count, used);
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

  it('has a separate budget for each id and each account', async () => {
    const [first, second, third] = [nextPeople(1), nextPeople(1), nextPeople(1)];
    await ask(first, inOperation('one', 1));
    await ask(second, inOperation('two', 1));
    await ask(third, { ...inOperation('one', 1), authorization: `Bearer ${OTHER_TOKEN}` });
    expect(padron.calls()).toHaveLength(3);
  });

  it('has a separate budget for each client that a JWT names, and one for all names that clients give themselves', async () => {
    const environment = { ...jwtMode, REPLAY_SECONDS: '30' };
    const [first, second] = [nextPeople(1), nextPeople(1)];
    const scope = 'use_buscar_credito';
    await withPadron({ environment, now }, async (jwtPadron) => {
      for (const [client, nss] of [
        ['hr', first],
        ['loans', second],
      ] as const) {
        const headers = { ...inOperation('one', 1), ...bearer({ client_id: client, scope }) };
        expect((await askPriced(jwtPadron, { query: credits(nss) }, headers)).unitsSpent).toBe('1');
      }
    });
    await ask(nextPeople(1), { ...inOperation('named', 1), 'x-client-name': 'hr' });
    const { errors } = await ask(nextPeople(1), { ...inOperation('named', 1), 'x-client-name': 'loans' });
    expect(errors?.[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
    padron.calls();
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

describe('a trace of a router that makes no operation ID', () => {
  const secret = 'known to the router only';
  const environment = { SUBGRAPH_SECRET: secret, MAX_UNITS: '2', REPLAY_SECONDS: '30' };
  const traced = (trace: string, headers: Readonly<Record<string, string>> = { 'x-max-units': '1' }) => ({
    'x-subgraph-secret': secret,
    traceparent: `00-${trace.padStart(32, '0')}-00f067aa0ba902b7-00`,
    ...headers,
  });

  it('spends at most the limit of its requests together, for each client', async () => {
    await withPadron({ environment, now }, async (behind) => {
      const spend = async (headers: Readonly<Record<string, string>>) =>
        (await askPriced(behind, { query: credits(nextPeople(1)) }, headers)).unitsSpent;
      expect([await spend(traced('a1')), await spend(traced('a1'))]).toEqual(['1', '0']);
      expect(await spend(traced('a2'))).toBe('1');
      expect(await spend(traced('a1', { 'x-max-units': '1', 'x-client-name': 'payroll' }))).toBe('1');
      // An operation ID counts alone, and the limit of the operator holds for each request.
      expect(await spend(traced('a1', { 'x-max-units': '1', 'x-operation-id': 'a1' }))).toBe('1');
      for (let request = 0; request < 3; request += 1) expect(await spend(traced('a3', {}))).toBe('1');
      expect(await spend(traced('a1'))).toBe('0');
    });
  });

  it('does not make an operation last', async () => {
    await withPadron({ environment, now }, async (behind) => {
      const [nss = ''] = nextPeople(1);
      const { status, errors } = await askPriced(
        behind,
        { query: credits([nss]) },
        traced('b', { 'x-operation-keep': '1h' }),
      );
      expect([status, errors?.[0].message]).toEqual([400, expect.stringContaining('Send its ID in `x-operation-id`')]);
      expect(behind.calls()).toEqual([]);
    });
  });

  it('limits nothing without the secret, because other callers choose their traces', async () => {
    const headers = { ...traced('c'), 'x-subgraph-secret': '' };
    for (let request = 0; request < 2; request += 1) expect((await ask(nextPeople(1), headers)).unitsSpent).toBe('1');
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
