import type { Headers } from '../../requests/request';
import { type BatchReply, fetchValue } from './batch-requests';
import type { BatchProblem } from './batches';

/** Rows with the same problem code. */
export interface FailureGroup extends BatchProblem {
  readonly rows: number;
  /** Whether all rows have the same `message`. Otherwise `message` belongs to the first row. */
  readonly isShared: boolean;
  /** The first rows. */
  readonly examples: readonly Example[];
}

interface Example {
  readonly number: number;
  readonly ref: string | null;
}

export interface FailureCounts {
  /** Groups of rows, the largest first. */
  readonly failures: readonly FailureGroup[];
  /** Number of rows that were counted. */
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

/** Counts failed and unknown rows by problem. Reads only the first pages of each state, which is enough to show the kinds of problems. */
export async function countFailures(
  headers: Headers,
  id: string,
  signal: AbortSignal,
): Promise<BatchReply<FailureCounts>> {
  const rows: FailedRow[] = [];
  for (const state of ['FAILED', 'UNKNOWN']) {
    let after: string | null = null;
    for (let page = 0; page < maxPages && (page === 0 || after !== null); page += 1) {
      const reply: BatchReply<RowPage | null> = await fetchValue<RowPage>(headers, query, { id, state, after }, signal);
      if (!('value' in reply)) return reply;
      rows.push(...(reply.value?.rows.rows ?? []));
      after = reply.value?.rows.next ?? null;
    }
  }
  return { value: { failures: group(rows), read: rows.length } };
}

function group(rows: readonly FailedRow[]): readonly FailureGroup[] {
  const byCode = new Map<string, FailureGroup>();
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
