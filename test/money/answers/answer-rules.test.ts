import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { CallerWindow } from '../../../src/money/answers/caller-window';
import { MemoryAnswers } from '../../../src/money/answers/memory-answers';
import { type RuleName, rules, storedRule } from '../../../src/money/answers/rules';
import { type KeyedQuestion, toShared } from '../../../src/money/answers/shared-answer';
import type { Answer } from '../../../src/registry/answer/answer';
import { unsentEvidence } from '../../../src/registry/answer/answer';
import { problem } from '../../../src/registry/answer/problem';
import type { Store } from '../../../src/store/store';
import { bothEngines, engineRig } from '../../support/stores/engines';
import { storeForTests } from '../../support/stores/store-for-tests';

interface Kept {
  readonly rule: RuleName;
  /** Seconds since it was asked for. */
  readonly age: number;
  readonly isFailure?: boolean;
}

/** A place that keeps answers, and finds the one that a question may have: by its position. */
interface Place {
  readonly rules: readonly RuleName[];
  keep(kept: readonly Kept[]): Promise<void>;
  find(maxAgeSeconds: number | null): Promise<number | null>;
}

const order = Object.keys(rules) as readonly RuleName[];
const inStore: readonly RuleName[] = ['OPERATION', 'ACCOUNT', 'PURPOSE', 'HOLDER', 'CALL'];

function inTables(store: Store): Place {
  const names = inStore.map((rule) => `name of ${rule}`);
  return {
    rules: inStore,
    keep: async (kept) => {
      await store.query('TRUNCATE answers, answer_contents, answer_subjects');
      await store.query(`UPDATE ledger_erasure_count SET last_at = '-infinity'`);
      for (const [index, { rule, age, isFailure = false }] of kept.entries()) {
        const kept = { names: [`name of ${rule}`], key: 'a2V5', failed: isFailure, ms: 60_000 };
        const keeps = [{ ...storedRule(rule), ...kept }];
        const sql = `SELECT answer_keep($1, 'account', 'o', $2::json, 'AA==', now() - $3 * interval '1 second', true, '{OPERATION,PURPOSE}', true)`;
        await store.query(sql, [String(index), JSON.stringify(keeps), age]);
      }
    },
    find: async (maxAge) => {
      const age = maxAge === null ? null : JSON.stringify({ operations: [], maxAgeMs: 1_000 * maxAge, elapsedMs: 0 });
      const sql = 'SELECT f.call FROM answer_find($1, $2::json, NULL) f';
      const [row] = await store.query<{ readonly call: string | null }>(sql, [names, age]);
      return row?.call === null || row === undefined ? null : Number(row.call);
    },
  };
}

function inMemory(): Place {
  const caller = { bearer: 't', account: 'a', tenant: 'a', sandbox: false, usesServerToken: false, permissions: null };
  const now = new Date();
  const ask = (maxAge: number | null): KeyedQuestion => {
    const began = performance.now();
    const reuse = maxAge === null ? null : { maxAgeMs: 1_000 * maxAge, purpose: null, operation: null, began };
    const rest = { question: {}, cacheKeys: ['key'] as const, caller, price: 1, purpose: null, lasting: null };
    return { key: 'key', endpoint: findCredit, ...rest, reuse };
  };
  const answerOf = (index: number, { age, isFailure = false }: Kept): Answer<unknown> => {
    const checkedAt = new Date(now.getTime() - 1_000 * age);
    const evidence = { ...unsentEvidence('POST /'), servedFrom: 'LIVE', checkedAt, ledgerId: String(index) } as const;
    const problems = isFailure ? [problem('REGISTRY_ERROR')] : [];
    return { outcome: isFailure ? 'UNAVAILABLE' : 'FOUND', payload: {}, evidence, problems, bytes: 1 };
  };
  let memory = new MemoryAnswers({ windowMs: 60_000, now: () => now });
  const windowOf = (): CallerWindow => new CallerWindow(memory, 'a', { holder: 'kiosk', purpose: null }, null);
  return {
    rules: ['ACCOUNT', 'HOLDER'],
    keep: async (kept) => {
      memory = new MemoryAnswers({ windowMs: 60_000, now: () => now });
      for (const [index, each] of kept.entries()) {
        const asked = performance.now() - 1_000 * each.age;
        const answer = answerOf(index, each);
        if (each.rule === 'ACCOUNT') memory.keep(ask(null), answer, asked);
        else windowOf().keep(ask(null), toShared(answer, null), asked);
      }
    },
    find: async (maxAge) => {
      const found = memory.find(ask(maxAge), windowOf().name);
      return found === undefined ? null : Number(found.answer.evidence.ledgerId);
    },
  };
}

const pairs = (place: Place) =>
  place.rules.flatMap((first) => place.rules.map((second): readonly [RuleName, RuleName] => [first, second]));

function keepTheRules(placeOf: () => Place): void {
  it('use the first rule, whichever answer is newer', async () => {
    const place = placeOf();
    for (const [first, second] of pairs(place).filter((pair) => order.indexOf(pair[0]) < order.indexOf(pair[1]))) {
      for (const [older, newer] of [
        [9, 1],
        [1, 9],
      ] as const) {
        await place.keep([
          { rule: second, age: newer },
          { rule: first, age: older },
        ]);
        expect([first, second, await place.find(null)]).toEqual([first, second, 1]);
      }
    }
  });

  it('use an answer rather than a failure, whatever its rule', async () => {
    const place = placeOf();
    // Failures are kept for the holder and for those who wait only.
    for (const [first, second] of pairs(place).filter(
      ([rule, other]) => ['HOLDER', 'CALL'].includes(rule) && rule !== other,
    )) {
      await place.keep([
        { rule: first, age: 1, isFailure: true },
        { rule: second, age: 9 },
      ]);
      expect([first, second, await place.find(null)]).toEqual([first, second, 1]);
      await place.keep([{ rule: first, age: 1, isFailure: true }]);
      expect([first, await place.find(null)]).toEqual([first, 0]);
    }
  });

  it('use no answer that is too old, unless it was left by an early response of the caller', async () => {
    const place = placeOf();
    for (const rule of place.rules) {
      await place.keep([{ rule, age: 9 }]);
      const found = [await place.find(null), await place.find(20), await place.find(5)];
      expect([rule, ...found]).toEqual([rule, 0, 0, rules[rule].isAged ? null : 0]);
    }
  });

  it('replace an answer by a newer one only', async () => {
    const place = placeOf();
    await place.keep([
      { rule: 'ACCOUNT', age: 9 },
      { rule: 'ACCOUNT', age: 5 },
    ]);
    expect(await place.find(null)).toBe(1);
  });
}

describe('the rules for answers in memory', () => keepTheRules(inMemory));

describe.each(bothEngines)('the rules for answers on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));
  keepTheRules(() => inTables(store));

  it('replace no newer answer', async () => {
    const place = inTables(store);
    await place.keep([
      { rule: 'PURPOSE', age: 1 },
      { rule: 'PURPOSE', age: 9 },
    ]);
    expect(await place.find(null)).toBe(0);
  });

  it('keep the bytes of an answer once, by however many rules it is kept', async () => {
    await inTables(store).keep([]);
    const keeps = inStore.map((rule) => ({
      ...storedRule(rule),
      names: [`name of ${rule}`],
      key: 'a2V5',
      failed: false,
      ms: 60_000,
    }));
    for (const hasEnded of [true, false]) {
      const sql = `SELECT answer_keep('call', 'account', 'o', $1::json, 'AA==', now(), true, '{OPERATION,PURPOSE}', $2)`;
      await store.query(sql, [JSON.stringify(keeps), hasEnded]);
    }
    const counts =
      'SELECT (SELECT count(*)::int FROM answers) AS answers, (SELECT count(*)::int FROM answer_contents) AS contents';
    expect(await store.query(counts)).toEqual([{ answers: 5, contents: 1 }]);
  });
});
