import { useEffect, useState } from 'react';
import { formatNumber, texts } from '../../language/texts';
import type { Headers } from '../../requests/request';
import { BatchError } from '../batch-error';
import type { BatchReply } from '../requests/batch-requests';
import type { BatchDetails } from '../requests/batches';
import { countFailures, type FailureCounts, type FailureGroup } from '../requests/count-failures';

const words = texts.batch;

interface FailureTableProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
}

/** A table of failed and unknown rows by problem, with examples. */
export function FailureTable({ headers, batch: { id, state, progress } }: FailureTableProps) {
  const [reply, setReply] = useState<BatchReply<FailureCounts> | null>(null);
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
