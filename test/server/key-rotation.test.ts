import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { bearer, JWT_SECRET } from '../support/keys/identity-provider';
import { preparePadron } from '../support/padrons/ledger';
import type { RunningPadron } from '../support/padrons/padron';
import { waitUntil } from '../support/proxies/deferred';
import { nss } from '../support/requests/credit-request';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { engineRig } from '../support/stores/engines';

const [oldKey, newKey] = ['f3b07c5d9e1a4286'.repeat(3), '81d6a2e94c7f0b35'.repeat(3)];
const finance = {
  client_id: 'finance',
  scope: 'use_buscar_credito padron_batch padron_budgets padron_ledger padron_proofs',
};
const buy = `{ person(nss: "${nss}") { credit { problems { code } evidence { ledgerId } } } }`;
const setBudget = 'mutation { setRegistryBudget(input: { period: MONTH, units: 4 }) { spentUnits } }';
const operation = 'query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const createBatch = (key: string, rows: number) => `mutation { createRegistryBatch(
  input: { operation: "${operation}", key: "${key}", rows: [${`{ nss: "${nss}" }`.repeat(rows)}] }) { batch { id operation } problems { path } } }`;
const readAll = `{ registryBudgets { spentUnits leftUnits } registryLedger(filter: {}) { entries { id } }
  registryProofs(subject: { nss: "${nss}" }) { entries { id } } }`;

describe('a rotation of DATA_KEYS in two processes, one after the other', () => {
  const rig = engineRig('postgres');
  const service = sandboxForTests();

  it('changes nothing that callers see if all processes can read the new key before one writes with it', async () => {
    const prepared = await preparePadron(rig, { JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN });
    const start = (...keys: readonly string[]): Promise<RunningPadron> =>
      prepared.start({ registryUrl: () => service.url, environment: { DATA_KEYS: keys.join(',') } });
    const ask = (padron: RunningPadron, query: string) => padron.ask(query, {}, bearer(finance));
    const bought: string[] = [];
    const check = async (padron: RunningPadron): Promise<void> => {
      const { credit } = (await ask(padron, buy)).data.person;
      expect(credit.problems).toEqual([]);
      bought.push(credit.evidence.ledgerId);
    };
    /** Creates a batch with a key, or finds the one that has it. */
    const batchOf = async (padron: RunningPadron, key: string, rows = 1) =>
      (await ask(padron, createBatch(key, rows))).data.createRegistryBatch;
    const expectAll = async (...padrons: readonly RunningPadron[]): Promise<void> => {
      const all = bought.map((id) => ({ id })).toSorted((left, right) => right.id.localeCompare(left.id));
      const spentUnits = bought.length;
      const budgets = [{ spentUnits, leftUnits: 4 - spentUnits }];
      const expected = { registryBudgets: budgets, registryLedger: { entries: all }, registryProofs: { entries: all } };
      for (const padron of padrons) {
        // The other process writes the outcome of its call to the store up to a second later.
        await waitUntil(async () => (await ask(padron, readAll)).data.registryBudgets[0].spentUnits === spentUnits);
        expect((await ask(padron, readAll)).data).toEqual(expected);
      }
    };

    const before = [await start(oldKey), await start(oldKey)] as const;
    expect((await ask(before[0], setBudget)).errors).toBeUndefined();
    await check(before[0]);
    await expectAll(...before);
    const oldBatch = await batchOf(before[0], 'old');
    // The operation is encrypted with the batch: later processes have to decrypt it.
    expect(oldBatch).toMatchObject({ batch: { operation }, problems: [] });

    await before[0].stop();
    const reading = [await start(oldKey, newKey), before[1]] as const;
    await check(reading[0]);
    await expectAll(...reading);

    await reading[1].stop();
    const writing = [await start(newKey, oldKey), reading[0]] as const;
    await check(writing[0]);
    // Until the store has the outcome, the other process would share this call instead of paying for another one.
    await expectAll(...writing);
    await check(writing[1]);
    await expectAll(...writing);
    // A process finds the batch of a key, whichever secret was the newest when the batch was created.
    const newBatch = await batchOf(writing[0], 'new');
    expect(await batchOf(writing[1], 'new')).toEqual(newBatch);
    expect(await batchOf(writing[0], 'old')).toEqual(oldBatch);
    const reused = { batch: null, problems: [{ path: ['input', 'key'] }] };
    expect(await batchOf(writing[0], 'old', 2)).toEqual(reused);

    await writing[1].stop();
    const after = [writing[0], await start(newKey, oldKey)] as const;
    await expectAll(...after);
    for (const padron of after) {
      const { credit } = (await ask(padron, buy)).data.person;
      expect(credit.problems).toEqual([{ code: 'BUDGET_EXHAUSTED' }]);
    }
    expect(service.calls).toHaveLength(4);

    // A budget that is set again is stored under the new key.
    await ask(after[0], setBudget);
    await after[1].stop();
    const alone = await start(newKey);
    expect((await ask(alone, readAll)).data.registryBudgets).toHaveLength(1);
    // The store still has entries of the old key.
    const warnings = (padron: RunningPadron): number =>
      padron.log.filter((line) => line.includes('missing in DATA_KEYS')).length;
    expect([alone, after[0]].map(warnings)).toEqual([1, 0]);
  });
});
