import type { Answer } from '../registry/answer/answer';
import { type Problem, problem } from '../registry/answer/problem';
import type { CallLedger, LedgerCall, OpenEntry } from '../registry/call-ledger';
import type { AnyEndpoint, Subject } from '../registry/endpoint/endpoint';
import type { BudgetScope } from './budgets/budget';
import type { BudgetGuard } from './budgets/budget-guard';
import type { Reservation } from './budgets/reservation';
import type { EntryIds } from './entry-id';
import { closingText, openingText, originText } from './entry-text';
import type { EntryWriter } from './entry-writer';
import type { Journal, Segment } from './journal';
import type { SubjectIndex } from './subject-index';

/** What a request says of itself. Names that may be an identifier are null by now. */
export interface RequestOrigin {
  readonly client: string | null;
  readonly tag: string | null;
  /** Known only when the document is read. */
  readonly operation: () => string | null;
  readonly requestId: string | null;
  readonly batchId: string | null;
}

/** What all requests share. */
export interface LedgerParts {
  readonly writer: EntryWriter;
  readonly journal: Journal | null;
  readonly ids: EntryIds;
  readonly subjects: SubjectIndex;
  readonly guard: BudgetGuard;
  readonly now: () => Date;
  /** Whether no call may leave, since it could not be entered. */
  readonly mustRefuse: () => boolean;
}

const retryAfterSeconds = 5;

/** Enters the calls of one request. */
export class RequestLedger implements CallLedger {
  private origin: string | null = null;
  /** Several registries are asked about the same person. */
  private readonly hashes = new Map<string, string>();

  constructor(
    private readonly parts: LedgerParts,
    private readonly accounts: readonly [string, ...string[]],
    private readonly request: RequestOrigin,
  ) {}

  open(call: LedgerCall): OpenEntry | Problem | Promise<OpenEntry | Problem> {
    if (this.parts.mustRefuse()) return problem('LEDGER_UNAVAILABLE', { retryAfter: retryAfterSeconds });
    const moment = this.parts.now();
    const { guard } = this.parts;
    const reservation = guard.mayBound ? guard.reserve(this.scope(), call.price, moment) : null;
    if (!(reservation instanceof Promise)) return this.openEntry(call, moment, reservation);
    return reservation.then((reserved) => ('code' in reserved ? reserved : this.openEntry(call, moment, reserved)));
  }

  private scope(): BudgetScope {
    const { client, tag } = this.request;
    return { accounts: this.accounts, client, tag };
  }

  /** Its line is written before the call can leave. */
  private openEntry(
    call: LedgerCall,
    moment: Date,
    reservation: Reservation | null,
  ): OpenEntry | Promise<OpenEntry | Problem> {
    const { journal } = this.parts;
    const { id, text } = this.enter(call, moment);
    if (journal === null) return new PendingEntry(this.parts, id, text, null, call.price, reservation);
    const written = journal.whenWritten();
    const segment = journal.write(`+${text}\n`);
    const entry = new PendingEntry(this.parts, id, text, segment, call.price, reservation);
    return written.then(() => (this.parts.mustRefuse() ? refuse(entry) : entry));
  }

  recordShared(call: LedgerCall, answer: Answer<unknown>): string {
    const { id, text } = this.enter(call, this.parts.now());
    addToQueue(this.parts, text + closingText(answer, 'REPLAY'));
    return id;
  }

  private enter(
    { endpoint, address, question, price }: LedgerCall,
    moment: Date,
  ): { readonly id: string; readonly text: string } {
    const id = this.parts.ids.next(moment);
    this.origin ??= this.describeOrigin();
    const subjects = this.subjectsText(endpoint, question);
    return { id, text: openingText(id, moment, this.origin, endpoint, address, price, subjects) };
  }

  private describeOrigin(): string {
    const { client, tag, operation, requestId, batchId } = this.request;
    return originText(this.accounts[0], client, tag, operation(), requestId, batchId);
  }

  private subjectsText(endpoint: AnyEndpoint, question: unknown): string {
    const { keyVersion } = this.parts.subjects;
    const subjects: readonly Subject[] = endpoint.subjects?.(question) ?? [];
    return subjects.map((subject) => `["${subject.kind}","${this.hashOf(subject)}","${keyVersion}"]`).join(',');
  }

  private hashOf(subject: Subject): string {
    const key = `${subject.kind}:${subject.value}`;
    const existing = this.hashes.get(key);
    if (existing !== undefined) return existing;
    const hash = this.parts.subjects.hash(subject);
    this.hashes.set(key, hash);
    return hash;
  }
}

/** It could not be written, and no call may leave without its line. */
function refuse(entry: OpenEntry): Problem {
  entry.close(null);
  return problem('LEDGER_UNAVAILABLE', { retryAfter: retryAfterSeconds });
}

/** A call that has its line, and no answer yet. */
class PendingEntry implements OpenEntry {
  private isClosed = false;

  constructor(
    private readonly parts: LedgerParts,
    readonly id: string,
    private readonly text: string,
    private readonly opening: Segment | null,
    private readonly price: number,
    private readonly reservation: Reservation | null,
  ) {}

  close(answer: Answer<unknown> | null): void {
    if (this.isClosed) return;
    this.isClosed = true;
    // What never left is no call: nobody paid, and there is nothing to prove.
    if (answer === null || answer.evidence.servedFrom === 'NOT_SENT') {
      this.reservation?.settle(0);
      this.discard();
      return;
    }
    const { units, billing } = answer.evidence;
    this.reservation?.settle(billing === 'UNKNOWN' ? this.price : units);
    addToQueue(this.parts, this.text + closingText(answer));
    if (this.opening !== null) this.parts.journal?.release(this.opening);
  }

  /** The opening must not come back as a call without an answer: this line stays as long as that one. */
  private discard(): void {
    const { journal } = this.parts;
    if (journal === null || this.opening === null) return;
    const segment = journal.write(`-${this.id}\n`);
    if (segment !== this.opening) this.opening.followers.push(segment);
    else journal.release(segment);
    journal.release(this.opening);
  }
}

/** A whole entry: it stands in the journal by itself, until it is in the store. */
function addToQueue({ journal, writer }: LedgerParts, text: string): void {
  writer.add(text, journal?.write(`=${text}\n`) ?? null);
}
