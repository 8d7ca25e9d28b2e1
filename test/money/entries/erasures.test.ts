import { bothEngines, ownServerRig } from '../../support/stores/engines';
import { storeForTests } from '../../support/stores/store-for-tests';
import { type Call, callOf, charged, now, openCalls, subject, writeEntries } from './calls';

const later = <Entry extends Call>(call: Entry) => ({ ...call, began: now.getTime() + 1 });

describe.each(bothEngines)('a recorded erasure on the %s engine', (engine) => {
  // Only a superuser may read the files of a server.
  const rig = ownServerRig(engine);
  const store = storeForTests(rig);
  beforeEach(() => store.query('DELETE FROM ledger_subjects'));

  const erase = async (): Promise<unknown> => {
    const rows = await store.query('SELECT ledger_erase($1, $2, $3) AS entries', [['a'], [subject[1]], now]);
    return rows[0]?.entries;
  };
  const linked = async (): Promise<readonly unknown[]> =>
    (await store.query('SELECT entry_id AS id FROM ledger_subjects ORDER BY 1')).map(({ id }) => id);

  it('leaves entries unlinked that are written later', async () => {
    await erase();
    const [before, after, otherAccount] = [callOf(), later(callOf()), callOf({ account: 'b' })];
    await writeEntries(store, [before, after, otherAccount].map(charged));
    expect(await linked()).toEqual([after.id, otherAccount.id].sort());
    expect(await store.query('SELECT 1 FROM ledger_entries WHERE id = $1', [before.id])).toHaveLength(1);
  });

  it('leaves calls unlinked that are opened later', async () => {
    await erase();
    const [before, after] = [callOf(), later(callOf())];
    expect(await openCalls(store, [before, after])).toEqual([]);
    await writeEntries(store, [charged(before)]);
    expect(await linked()).toEqual([after.id]);
  });

  it('finds a link that another payer of the account wrote before the entry', async () => {
    const paid = callOf();
    const link = { ...later(charged(paid)), outcome: 'LINKED' };
    const ofOther = { ...link, account: 'b', id: callOf().id };
    await writeEntries(store, [link, link, ofOther]);
    expect(await linked()).toEqual([paid.id, ofOther.id].sort());
    expect(await erase()).toBe(1);
    await writeEntries(store, [charged(paid)]);
    expect(await linked()).toEqual([ofOther.id]);
    await writeEntries(store, [link]);
    expect(await linked()).toEqual([paid.id, ofOther.id].sort());
    expect(await erase()).toBe(1);
    expect(await store.query('SELECT outcome FROM ledger_entries WHERE id = $1', [paid.id])).toEqual([
      { outcome: 'FOUND' },
    ]);
  });

  it('leaves the hash in no file of a table but that of erasures, after VACUUM FULL and a checkpoint', async () => {
    const filesWithHash = async (): Promise<readonly unknown[]> => {
      await store.query('CHECKPOINT');
      const found = await store.query(
        `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
          AND position(decode($1, 'hex') IN pg_read_binary_file(pg_relation_filepath(c.oid))) > 0 ORDER BY 1`,
        [subject[1]],
      );
      return found.map(({ name }) => name);
    };
    await writeEntries(store, [charged(later(callOf()))]);
    expect(await filesWithHash()).toEqual(expect.arrayContaining(['ledger_subjects', 'ledger_subjects_by_hash']));
    await erase();
    await store.query('VACUUM FULL ledger_subjects');
    expect(await filesWithHash()).toEqual(['ledger_erasures', 'ledger_erasures_pkey']);
  });
});
