import type { StoreParameter } from '../../../src/store/store';
import { bothEngines, engineRig } from '../../support/stores/engines';
import { storeForTests } from '../../support/stores/store-for-tests';
import { callOf, charged } from '../entries/calls';

const accounts = ['account'];

describe.each(bothEngines)('a statement of an operation whose reply was lost, on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));

  it('has no second effect if it is repeated', async () => {
    const sums = async () =>
      (
        await store.query(`SELECT spent, uncertain, reserved, saved, max_units, (SELECT count(*)::int FROM operations) AS operations,
        (SELECT count(*)::int FROM operation_answers WHERE state = 'ANSWERED') AS kept FROM operations`)
      )[0];
    const twice = async (sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> => {
      await store.query(sql, parameters);
      return store.query(sql, parameters);
    };
    await store.query(`SELECT * FROM process_beat('p', 'service', 1, '[]')`);
    const begin = 'SELECT * FROM operation_begin($1, $2, $5, $3, $4, 60000, 5, 1000000)';
    await twice(begin, ['o', accounts, ['name'], Buffer.from('key'), '']);
    const entry = { ...callOf({ account: 'account' }), lasting: 'o' };
    const { id } = entry;
    const call = { id, accounts, names: ['question'], early: [], price: 1, affordable: true, operations: [], entry };
    const opening = { ...call, operationUnits: 0, lastingNames: [], keptAs: 'kept', retries: false };
    const open = `SELECT * FROM call_open('p', $1, 'o', 0, 1000000, now(), null, $2::json)`;
    const [reply] = await twice(open, [accounts, JSON.stringify([opening])]);
    expect(reply).toMatchObject({ verdict: 'SEND' });
    expect(await sums()).toMatchObject({ spent: 0, reserved: 1, operations: 1, max_units: 5 });
    const answer = Buffer.from('sealed').toString('base64');
    const kept = { name: 'kept', state: 'ANSWERED', answer };
    const paid = {
      id,
      names: ['question'],
      state: 'FAILED',
      valid: 0,
      operations: [],
      unused: 0,
      kept,
      entry: charged(entry),
    };
    const replayed = {
      ...charged({ ...callOf({ account: 'account' }), price: 1 }),
      units: 0,
      served: 'REPLAY',
      lasting: 'o',
    };
    const close = `SELECT call_close('p', $1, 'o', $2::json)`;
    await twice(close, [accounts, JSON.stringify([paid, { id: replayed.id, saved: 1, entry: replayed }])]);
    expect(await sums()).toEqual({
      spent: 1,
      uncertain: 0,
      reserved: 0,
      saved: 1,
      max_units: 5,
      operations: 1,
      kept: 1,
    });
  });
});
