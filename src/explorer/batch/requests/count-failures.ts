import type { Headers } from '../../requests/request';
import { ask, type Reply } from './batch-requests';
import type { BatchProblem } from './batches';

/** Rows that have a problem in common. */
export interface Failure extends BatchProblem {
  readonly rows: number;
  /** Whether `message` is that of all of them, or of the first only. */
  readonly isShared: boolean;
  /** The first of them, by label where they have one. */
  readonly examples: readonly Example[];
}

interface Example {
  readonly number: number;
  readonly ref: string | null;
}

export interface Failures {
  /** The most frequent first. */
  readonly failures: readonly Failure[];
  /** How many rows were read for it. */
  readonly read: number;
}

interface FailedRow extends Example {
  readonly problems: readonly BatchProblem[];
}

interface RowPage {
  readonly rows: { readonly rows: readonly FailedRow[]; readonly next: string | null };
}

const query = `query($id: ID!, $state: RegistryRowState!, $after: String) { value: registryBatch(id: $id) {
  rows(state: $state, first: 500, after: $after) { rows { number ref problems { code message } } next } } }`;
const maxPages = 4;
const maxExamples = 3;

/** Why rows failed or are unknown. Of each kind the first pages are read: that shows what there is, also in a hundred thousand rows. */
export async function countFailures(headers: Headers, id: string, signal: AbortSignal): Promise<Reply<Failures>> {
  const rows: FailedRow[] = [];
  for (const state of ['FAILED', 'UNKNOWN']) {
    let after: string | null = null;
    for (let page = 0; page < maxPages && (page === 0 || after !== null); page += 1) {
      const reply: Reply<RowPage | null> = await ask<RowPage>(headers, query, { id, state, after }, signal);
      if (!('value' in reply)) return reply;
      rows.push(...(reply.value?.rows.rows ?? []));
      after = reply.value?.rows.next ?? null;
    }
  }
  return { value: { failures: group(rows), read: rows.length } };
}

function group(rows: readonly FailedRow[]): readonly Failure[] {
  const byCode = new Map<string, Failure>();
  for (const { number, ref, problems } of rows) {
    for (const { code, message } of new Map(problems.map((problem) => [problem.code, problem])).values()) {
      const before = byCode.get(code) ?? { message, rows: 0, isShared: true, examples: [] };
      const { examples } = before;
      const more = examples.length < maxExamples ? [...examples, { number, ref }] : examples;
      const isShared = before.isShared && before.message === message;
      byCode.set(code, { code, message: before.message, rows: before.rows + 1, isShared, examples: more });
    }
  }
  return [...byCode.values()].sort((left, right) => right.rows - left.rows);
}
