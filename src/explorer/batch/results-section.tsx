import { useEffect, useState } from 'react';
import { formatNumber, language, texts } from '../language/texts';
import { fetchValue, type Headers, type Reply } from '../requests/request';
import { type BatchDetails, type BatchProblem, fetchLink, type ResultLink } from './batch-requests';
import { BatchError } from './use-polled';

interface FailureGroup extends BatchProblem {
  readonly rows: number;
  /** Whether all rows have the same `message`. Otherwise `message` belongs to the first row. */
  readonly isShared: boolean;
  readonly examples: readonly Example[];
}

interface Example {
  readonly number: number;
  readonly ref: string | null;
}

interface FailureCounts {
  /** Groups of rows, the largest first. */
  readonly failures: readonly FailureGroup[];
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
async function countFailures(headers: Headers, id: string, signal: AbortSignal): Promise<Reply<FailureCounts>> {
  const rows: FailedRow[] = [];
  for (const state of ['FAILED', 'UNKNOWN']) {
    let after: string | null = null;
    for (let page = 0; page < maxPages && (page === 0 || after !== null); page += 1) {
      const reply: Reply<RowPage | null> = await fetchValue<RowPage>(headers, query, { id, state, after }, signal);
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

const words = texts.batch;

interface FailureTableProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
}

function FailureTable({ headers, batch: { id, state, progress } }: FailureTableProps) {
  const [reply, setReply] = useState<Reply<FailureCounts> | null>(null);
  const { failed, retryable, unknown } = progress;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new totals or the end of a run require a reload.
  useEffect(() => {
    const controller = new AbortController();
    countFailures(headers, id, controller.signal).then(
      (next) => controller.signal.aborted || setReply(next),
      () => undefined,
    );
    return () => controller.abort();
  }, [headers, id, state, failed, unknown]);
  return (
    <section aria-label={words.failures}>
      <h2>{words.failures}</h2>
      {reply === null && <p>…</p>}
      {reply !== null && !('value' in reply) && <BatchError {...reply} />}
      {reply !== null && 'value' in reply && (
        <>
          <Table {...reply.value} />
          {failed > retryable && <p>{words.wouldFailAgain(failed - retryable)}</p>}
          {reply.value.read < failed + unknown && <p className="padron-quiet">{words.failuresOf(reply.value.read)}</p>}
        </>
      )}
    </section>
  );
}

const labelOf = ({ number, ref }: FailureGroup['examples'][number]): string => ref ?? words.rowNumber(number);

function Table({ failures }: FailureCounts) {
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

interface ResultsSectionProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
}

/** Downloads of all rows, and a summary of the failures. */
export function ResultsSection({ headers, batch }: ResultsSectionProps) {
  const { state, progress } = batch;
  return (
    <>
      <section aria-label={words.results}>
        <h2>{words.results}</h2>
        <Downloads headers={headers} batch={batch} />
      </section>
      {state !== 'RUNNING' && progress.failed + progress.unknown > 0 && (
        <FailureTable headers={headers} batch={batch} />
      )}
    </>
  );
}

const formats = ['xlsx', 'csv', 'jsonl'] as const;

/** Download buttons. A link is valid for ten minutes, so it is requested when the user clicks. */
function Downloads({ headers, batch: { id, state, progress } }: ResultsSectionProps) {
  const { rows, waiting } = progress;
  // Until all rows have ended, the files look like the final ones, so the buttons tell the difference.
  const isPartial = state === 'RUNNING' || state === 'PAUSED';
  const [message, setMessage] = useState('');
  const download = async (kind: ResultLink): Promise<void> => {
    const reply = await fetchLink(headers, id, kind);
    if (!('value' in reply)) return setMessage(words.unread(reply.reason));
    if (reply.value === null) return setMessage(words.noLink);
    setMessage('');
    const link = document.createElement('a');
    // The batch may have been created in another language.
    link.href = `${reply.value}&language=${language}`;
    link.download = '';
    link.click();
  };
  return (
    <>
      <div className="padron-row">
        {formats.map((format, index) => (
          <button
            key={format}
            type="button"
            className={state === 'DONE' && index === 0 ? 'padron-primary' : ''}
            onClick={() => void download(`${format}Url`)}
          >
            {isPartial
              ? words.partialAs(rows - waiting, rows, words.formats[format])
              : words.downloadAs(words.formats[format])}
          </button>
        ))}
      </div>
      <p className="padron-quiet">{words.resultsAbout}</p>
      <p role="status" className="padron-message">
        {message}
      </p>
    </>
  );
}
