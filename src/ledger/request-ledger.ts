import type { Answer } from '../registry/answer/answer';
import { type Problem, problem } from '../registry/answer/problem';
import type { CallLedger, LedgerCall, OpenEntry } from '../registry/call-ledger';
import type { AnyEndpoint, Subject } from '../registry/endpoint/endpoint';
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
  readonly now: () => Date;
}

const retryAfterSeconds = 5;

/** Enters the calls of one request. */
export class RequestLedger implements CallLedger {
  private origin: string | null = null;
  /** Several registries are asked about the same person. */
  private readonly hashes = new Map<string, string>();

  constructor(
    private readonly parts: LedgerParts,
    private readonly account: string,
    private readonly request: RequestOrigin,
    private readonly mustRefuse: () => boolean,
  ) {}

  open(call: LedgerCall): OpenEntry | Problem {
    const { journal } = this.parts;
    if (this.mustRefuse()) return problem('LEDGER_UNAVAILABLE', { retryAfter: retryAfterSeconds });
    const entry = this.enter(call);
    const segment = journal?.write(`+${entry.text}\n`) ?? null;
    return new PendingEntry(this.parts, entry.id, entry.text, segment);
  }

  recordShared(call: LedgerCall, answer: Answer<unknown>): string {
    const { id, text } = this.enter(call);
    addToQueue(this.parts, text + closingText(answer));
    return id;
  }

  private enter({ endpoint, address, question, price }: LedgerCall): { readonly id: string; readonly text: string } {
    const moment = this.parts.now();
    const id = this.parts.ids.next(moment);
    this.origin ??= this.describeOrigin();
    const subjects = this.subjectsText(endpoint, question);
    return { id, text: openingText(id, moment, this.origin, endpoint, address, price, subjects) };
  }

  private describeOrigin(): string {
    const { operation, ...request } = this.request;
    return originText({ ...request, account: this.account, operation: operation() });
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

/** A call that has its line, and no answer yet. */
class PendingEntry implements OpenEntry {
  private isClosed = false;

  constructor(
    private readonly parts: LedgerParts,
    readonly id: string,
    private readonly text: string,
    private readonly opening: Segment | null,
  ) {}

  close(answer: Answer<unknown> | null): void {
    if (this.isClosed) return;
    this.isClosed = true;
    // What never left is no call: nobody paid, and there is nothing to prove.
    if (answer === null || answer.evidence.servedFrom === 'NOT_SENT') {
      this.discard();
      return;
    }
    addToQueue(this.parts, this.text + closingText(answer));
    if (this.opening !== null) this.parts.journal?.release(this.opening);
  }

  /** The opening must not come back as a call without an answer: this line stays as long as that one. */
  private discard(): void {
    const { journal } = this.parts;
    if (journal === null || this.opening === null) return;
    const segment = journal.defer(`-${this.id}\n`);
    if (segment !== this.opening) this.opening.followers.push(segment);
    else journal.release(segment);
    journal.release(this.opening);
  }
}

/** A whole entry: it stands in the journal by itself, until it is in the store. */
function addToQueue({ journal, writer }: LedgerParts, text: string): void {
  writer.add(text, journal?.defer(`=${text}\n`) ?? null);
}
