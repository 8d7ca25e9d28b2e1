import { useCallback } from 'react';
import { formatNumber } from '../../explorer/page/language/language';
import { Downloads } from '../../explorer/page/requests/downloads';
import { Loaded, useLoaded } from '../../explorer/page/requests/loaded';
import { fetchValue, type Headers, type Reply } from '../../explorer/page/requests/request';
import { type BatchDetails, type BatchProblem, fetchLink } from './batch-requests';
import { batchTexts as words } from './batch-texts';

interface FailureGroup extends BatchProblem {
  readonly rows: number;
  /** Whether all rows have the same `message`. Otherwise `message` belongs to the first row. */
  readonly isShared: boolean;
  readonly examples: readonly Example[];
}

interface Example {
  readonly line: number;
  readonly ref: string | null;
}

interface FailureCounts {
  readonly failures: readonly FailureGroup[];
  readonly read: number;
}

interface FailedRow extends Example {
  readonly problems: readonly BatchProblem[];
}

interface RowPage {
  readonly rows: { readonly rows: readonly FailedRow[]; readonly next: string | null };
}

const query = `query($id: ID!, $state: RegistryRowState, $doubtful: Boolean!, $after: String) { value: registryBatch(id: $id) {
  rows(state: $state, doubtful: $doubtful, first: 500, after: $after) { rows { line ref problems { code message } } next } } }`;
const maxPages = 4;
const maxExamples = 3;

/** Counts failed, unknown and doubtful rows by problem. Reads only the first pages of each state, which is enough to show the kinds of problems. */
async function countFailures(headers: Headers, id: string, signal: AbortSignal): Promise<Reply<FailureCounts>> {
  const rows: FailedRow[] = [];
  for (const state of ['FAILED', 'UNKNOWN', null]) {
    let after: string | null = null;
    for (let page = 0; page < maxPages && (page === 0 || after !== null); page += 1) {
      const variables: object = { id, state, doubtful: state === null, after };
      const reply: Reply<RowPage | null> = await fetchValue<RowPage>(headers, query, variables, signal);
      if (!('value' in reply)) return reply;
      rows.push(...(reply.value?.rows.rows ?? []));
      after = reply.value?.rows.next ?? null;
    }
  }
  return { value: { failures: group(rows), read: rows.length } };
}

function group(rows: readonly FailedRow[]): readonly FailureGroup[] {
  const byCode = new Map<string, FailureGroup>();
  for (const { line, ref, problems } of rows) {
    for (const { code, message } of new Map(problems.map((problem) => [problem.code, problem])).values()) {
      const before = byCode.get(code) ?? { message, rows: 0, isShared: true, examples: [] };
      const { examples } = before;
      const more = examples.length < maxExamples ? [...examples, { line, ref }] : examples;
      const isShared = before.isShared && before.message === message;
      byCode.set(code, { code, message: before.message, rows: before.rows + 1, isShared, examples: more });
    }
  }
  return [...byCode.values()].sort((left, right) => right.rows - left.rows);
}

interface ResultsSectionProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
}

function FailuresSection({ headers, batch: { id, state, progress } }: ResultsSectionProps) {
  const { failed, retryable, unknown, doubtful } = progress;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new totals or the end of a run require a reload.
  const load = useCallback(
    (signal: AbortSignal) => countFailures(headers, id, signal),
    [headers, id, state, failed, unknown, doubtful],
  );
  const { reply } = useLoaded(load);
  return (
    <section aria-label={words.failures}>
      <h2>{words.failures}</h2>
      <Loaded reply={reply} words={words}>
        {({ failures, read }) => (
          <>
            <FailureTable failures={failures} />
            {failed > retryable && <p>{words.wouldFailAgain(failed - retryable)}</p>}
            {read < failed + unknown + doubtful && <p className="padron-quiet">{words.failuresOf(read)}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

const labelOf = ({ line, ref }: Example): string => ref ?? words.rowLine(line);

function FailureTable({ failures }: Pick<FailureCounts, 'failures'>) {
  return (
    <table aria-label={words.failures}>
      <thead>
        <tr>
          <th>{words.problem}</th>
          <th className="padron-number">{words.rowsColumn}</th>
        </tr>
      </thead>
      <tbody>
        {failures.map(({ code, message, isShared, rows, examples }) => (
          <tr key={code}>
            <td>
              <code>{code}</code>
              <span className="padron-fault">
                {!isShared && `${examples.slice(0, 1).map(labelOf)}: `}
                {message}
              </span>
              <span className="padron-facts">
                {examples.map(labelOf).join(', ')}
                {rows > examples.length && '…'}
              </span>
            </td>
            <td className="padron-number">{formatNumber(rows)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const formats = ['xlsx', 'csv', 'jsonl'] as const;

export function ResultsSection({ headers, batch }: ResultsSectionProps) {
  const { id, state, progress } = batch;
  const { rows, waiting, failed, unknown, doubtful } = progress;
  // Until all rows have ended, the files look like the final ones, so the buttons tell the difference.
  const isPartial = state === 'RUNNING' || state === 'PAUSED';
  const files = formats.map((format, index) => ({
    label: isPartial
      ? words.partialAs(rows - waiting, rows, words.formats[format])
      : words.downloadAs(words.formats[format]),
    isPrimary: state === 'DONE' && index === 0,
    fetchLink: () => fetchLink(headers, id, `${format}Url`),
  }));
  return (
    <>
      <section aria-label={words.results}>
        <h2>{words.results}</h2>
        <Downloads files={files} unread={words.unread} />
        <p className="padron-quiet">{words.resultsAbout}</p>
      </section>
      {state !== 'RUNNING' && failed + unknown + doubtful > 0 && <FailuresSection headers={headers} batch={batch} />}
    </>
  );
}
