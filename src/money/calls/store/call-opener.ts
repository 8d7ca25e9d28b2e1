import { LRUCache } from 'lru-cache';
import { StatementBatcher } from '../../../store/statement-batcher';
import { StatementError, type Store, StoreBusyError } from '../../../store/store';
import type { Age, AnswerDetails, KeptDetails } from '../../answers/answer-lookups';
import type { BudgetLeft } from '../../ledger/budgets/stored-budgets';
import type { OpenedEntry } from '../../ledger/entries/entry-json';
import type { EntryLink } from '../../ledger/entries/subject-index';
import type { Refusal } from '../life/refusals';

/** A call to be opened. `names` are those of its question, or its own ID if its answer is never shared. */
export interface Opening {
  readonly id: string;
  readonly accounts: readonly string[];
  /** The operation that lasts, and its run. */
  readonly operation: string | null;
  readonly run: number | null;
  /** The day of the call. Calls of one statement are of one day. */
  readonly day: number;
  readonly names: readonly string[];
  /** Names under which the answer may be, beside those of the call, and how old it may be. */
  readonly claims: readonly string[];
  readonly age: Age | null;
  /** Calls whose answers this process cannot use. */
  readonly replaced: readonly string[];
  readonly price: number;
  readonly affordable: boolean;
  readonly operations: readonly string[];
  readonly operationUnits: number;
  readonly lastingNames: readonly string[];
  readonly keptAs: string | null;
  /** Name under which the operation may have the answer to the question's own spelling. */
  readonly keptSpelled: string | null;
  readonly payer: string | null;
  readonly retries: boolean;
  /** Links of all that the request has asked about. If one of them is erased, an operation that lasts makes no more calls for it. */
  readonly asked: readonly EntryLink[];
  readonly entry: OpenedEntry;
}

/** Reply of the store, described at the function `call_open`: by verdict what leads to the next state of the question. */
export type OpenReply = {
  readonly lost: number;
  /** Milliseconds for which the service asks the account to wait, or null. */
  readonly pause: number | null;
  readonly budgets: readonly BudgetLeft[] | null;
} & (
  | Verdict<'SEND' | 'UNAFFORDABLE', unknown>
  | Verdict<'ANSWER', AnswerDetails | KeptDetails, Buffer | null>
  | Verdict<'WAIT', { readonly call: string; readonly ms: number }>
  | Verdict<'REFUSED', Refusal | null>
  | Verdict<'AGAIN' | 'LATER' | 'LIMITED' | 'UNREGISTERED', unknown>
);

interface Verdict<Name extends string, Details, Content = null> {
  readonly verdict: Name;
  readonly answer: Content;
  readonly details: Details;
}

export interface OpenerOptions {
  readonly store: Store;
  readonly processName: string;
  /** Maximum bytes that the operations of an account keep. */
  readonly accountBytes: number;
  /** Returns the server's time of the last heartbeat of this process, or null if the store belongs to this process. */
  readonly seenAt: () => Date | null;
}

type Queue = StatementBatcher<Opening, OpenReply>;

const maxQueues = 1_000;
const openSql = 'SELECT * FROM call_open($1, $2, $3, $4, $5, $6, $7, $8::json)';

/**
 * Opens calls in the store. Calls that arrive while a group is being opened form the next group, whatever their account. If the rows of an account are
 * locked, its calls form separate groups until one is opened, so that other accounts do not wait for it. So do those of an operation that lasts.
 */
export class CallOpener {
  private readonly queues = new LRUCache<string, Queue>({ max: maxQueues });
  /** Accounts whose calls are opened separately. */
  private readonly locked = new LRUCache<string, true>({ max: maxQueues });

  constructor(private readonly options: OpenerOptions) {}

  /** Opens a call, or finds its answer. Rejects with `StoreUnavailableError` if the store does not answer: it may have opened the call. */
  open(opening: Opening): Promise<OpenReply> {
    return this.queueOf(opening).add(opening);
  }

  private queueOf({ accounts, operation, run, day }: Opening): Queue {
    const [account = ''] = accounts;
    const isSeparate = operation !== null || this.locked.has(account);
    const key = isSeparate ? [account, operation, run, day].join(' ') : String(day);
    const queue = this.queues.get(key) ?? new StatementBatcher((openings) => this.openGroup(openings, isSeparate));
    this.queues.set(key, queue);
    return queue;
  }

  private async openGroup(
    openings: readonly Opening[],
    isSeparate: boolean,
  ): Promise<readonly (OpenReply | Promise<OpenReply>)[]> {
    const [{ accounts }] = openings as readonly [Opening];
    try {
      const replies = await this.openTogether(openings);
      if (isSeparate) this.locked.delete(accounts[0] ?? '');
      return replies;
    } catch (error) {
      if (error instanceof StoreBusyError && !isSeparate) {
        for (const opening of openings) this.locked.set(opening.accounts[0] ?? '', true);
        return openings.map((opening) => this.open(opening));
      }
      if (!(error instanceof StatementError)) throw error;
    }
    // If the store rejects the statement because of one call, the others are opened anyway.
    return openings.map((opening) => this.openAlone(opening));
  }

  private async openAlone(opening: Opening): Promise<OpenReply> {
    try {
      const [reply = notRecorded] = await this.openTogether([opening]);
      return reply;
    } catch (error) {
      if (error instanceof StatementError) return notRecorded;
      throw error;
    }
  }

  private async openTogether(openings: readonly Opening[]): Promise<readonly OpenReply[]> {
    const { store, processName, accountBytes, seenAt } = this.options;
    const [{ operation, run, day }] = openings as readonly [Opening];
    const accounts = accountsOf(openings);
    const calls = JSON.stringify(openings);
    const parameters = [processName, accounts, operation, run, accountBytes, new Date(day), seenAt(), calls];
    const rows = await store.query<OpenReply & { readonly id: string }>(openSql, parameters);
    const replies = new Map(rows.map((row) => [row.id, row]));
    return openings.map(({ id }) => replies.get(id) ?? notRecorded);
  }
}

export const accountsOf = (calls: readonly { readonly accounts: readonly string[] }[]): readonly string[] => [
  ...new Set(calls.flatMap(({ accounts }) => accounts)),
];

/** Reply for a call that the store rejects. It must not be sent. */
const notRecorded: OpenReply = { verdict: 'REFUSED', lost: 0, pause: null, answer: null, details: null, budgets: null };
