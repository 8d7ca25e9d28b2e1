import type { CallLedger, LedgerCall, OpenEntry, Saving } from '../../calls/call-ledger';
import type { Answer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { Subject } from '../../registry/endpoint/endpoint';
import type { BudgetGuard } from '../budgets/budget-guard';
import type { EntryIds } from '../entry-id';
import type { SubjectIndex } from '../subject-index';
import { type CallOpener, ledgerUnavailable } from './call-opener';
import { closedEntry, type OpenedEntry, releasedEntry, savingEntry } from './entry-json';
import type { EntryWriter } from './entry-writer';
import type { Journal } from './journal';
import type { RunningCalls } from './running-calls';

export interface RequestOrigin {
  readonly client: string | null;
  readonly tag: string | null;
  /** Returns the name of the operation, which is only known after the document has been parsed. */
  readonly operation: () => string | null;
  readonly requestId: string | null;
  readonly batchId: string | null;
}

export interface RecorderDependencies {
  readonly writer: EntryWriter;
  readonly journal: Journal | null;
  readonly opener: CallOpener;
  readonly running: RunningCalls;
  readonly ids: EntryIds;
  readonly subjects: SubjectIndex;
  readonly guard: BudgetGuard;
  readonly now: () => Date;
  readonly isRequired: boolean;
}

export class CallRecorder implements CallLedger {
  private readonly began: number;
  private isAnswered = false;

  constructor(
    private readonly dependencies: RecorderDependencies,
    private readonly accounts: readonly [string, ...string[]],
    private readonly request: RequestOrigin,
  ) {
    this.began = dependencies.now().getTime();
  }

  open(call: LedgerCall): OpenEntry | Problem | Promise<OpenEntry | Problem> {
    const { guard, isRequired } = this.dependencies;
    const isPaid = call.price > 0;
    if (isPaid && !guard.isLoaded) return ledgerUnavailable();
    const entry = this.newCall(call);
    const { client, tag } = this.request;
    const isLimited = isPaid && guard.hasBudgetFor({ accounts: this.accounts, client, tag });
    return isRequired || isLimited ? this.openInStore(entry) : this.openInJournal(entry);
  }

  recordShared(call: LedgerCall, answer: Answer<unknown>): string | null {
    // Thousands of rows of a batch may share an answer. They all refer to the entry of the call that paid for it.
    // An answer that arrives after the response was not used.
    if (this.request.batchId !== null || this.isAnswered) return answer.evidence.ledgerId;
    const entry = this.newCall(call);
    this.dependencies.writer.add(closedEntry(entry, answer, 'REPLAY'));
    return entry.id;
  }

  recordSavings(savings: readonly Saving[]): void {
    this.isAnswered = true;
    for (const { endpoint, outcome, units } of savings)
      this.dependencies.writer.add(savingEntry(this.newEntry(endpoint, units, []), outcome));
  }

  private async openInStore(entry: OpenedEntry): Promise<OpenEntry | Problem> {
    const { opener, writer, running } = this.dependencies;
    const remove = running.add(entry);
    const refusal = await opener.open(entry, this.accounts).catch((error: unknown) => {
      remove();
      throw error;
    });
    if (refusal !== null) {
      remove();
      return refusal;
    }
    return closeOnce(entry.id, (answer) => {
      writer.add(answer === null ? releasedEntry(entry) : { ...closedEntry(entry, answer), opened: true });
      remove();
    });
  }

  private openInJournal(entry: OpenedEntry): OpenEntry {
    const { journal, writer, running } = this.dependencies;
    const segment = journal?.append(`+${JSON.stringify(entry)}\n`) ?? null;
    const remove = running.add(entry);
    return closeOnce(entry.id, (answer) => {
      remove();
      if (answer !== null) writer.add(closedEntry(entry, answer));
      if (journal === null || segment === null) return;
      if (answer === null) discard(journal, entry.id);
      journal.release(segment);
    });
  }

  private newCall({ endpoint, address, question, price }: LedgerCall): OpenedEntry {
    return this.newEntry(address, price, endpoint.subjects?.(question) ?? []);
  }

  private newEntry(endpoint: string, price: number, subjects: readonly Subject[]): OpenedEntry {
    const { now, ids, subjects: index } = this.dependencies;
    const { client, tag, operation, requestId, batchId } = this.request;
    const moment = now();
    return {
      id: ids.next(moment),
      at: moment.getTime(),
      began: this.began,
      account: this.accounts[0],
      client,
      tag,
      operation: operation(),
      request: requestId,
      batch: batchId,
      endpoint,
      price,
      subjects: subjects.map((subject) => [subject.kind, index.hash(subject), index.keyVersion]),
    };
  }
}

/** Returns an open entry. The first time it is closed, `close` receives the answer, or null if the call was never sent. */
function closeOnce(id: string, close: (answer: Answer<unknown> | null) => void): OpenEntry {
  let isClosed = false;
  return {
    id,
    close: (answer) => {
      if (isClosed) return;
      isClosed = true;
      close(answer === null || answer.evidence.servedFrom === 'NOT_SENT' ? null : answer);
    },
  };
}

/** Discards the opening line of a call that was not sent. Otherwise recovery would record it as a call without an answer. */
function discard(journal: Journal, id: string): void {
  journal.release(journal.append(`-${id}\n`));
}
