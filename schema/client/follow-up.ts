import type { DocumentNode } from 'graphql';
import { documentOfPending, secondsUntilDue } from './pending-lookups';

/** Options of the follow-up of lookups that are still running. */
export interface FollowUpOptions {
  /** Ends the follow-up, for example when the component unmounts. */
  readonly signal?: AbortSignal;
}

/** A query in the cache and on the network of a client. */
export interface FollowedQuery {
  /** Passes the data of the query to the listener, now and whenever it changes. Returns a function that ends this. */
  subscribe(listener: (data: unknown) => void): () => void;
  /**
   * Sends a document to the network, and writes its answer to the cache. `headers` are added to those of the client. Resolves to whether
   * it was answered without an error.
   */
  ask(document: DocumentNode, headers: Readonly<Record<string, string>>): Promise<boolean>;
}

/** Maximum time until the first response: the maximum of `x-answer-within`. */
const firstResponseMs = 60_000;
/**
 * Time after the first response in which requests are sent. Everything that has arrived is then still replayed, also the identifiers that
 * the query does not select. `REPLAY_SECONDS` of the server is 30 by default.
 */
const sendingMs = 10_000;
/** Headers of the last request, which waits until everything has arrived. */
const untilComplete = { 'x-answer-within': '60s' };

/**
 * Asks again for the lookups of a query that are still running, when their answers are expected. After ten seconds it sends one last
 * request, which is answered when all of them have arrived. Waits for the first response, so it can start before it.
 */
export function followUp(query: FollowedQuery, document: DocumentNode, options: FollowUpOptions = {}): void {
  if (!options.signal?.aborted) new FollowUp(query, document, options).start();
}

class FollowUp {
  private data: unknown = null;
  private hasEnded = false;
  /** Time after which no other request is sent. Null before the first response. */
  private sendUntil: number | null = null;
  /** The next request, or the wait for it. Null if nothing is planned. */
  private next: ReturnType<typeof setTimeout> | null = null;
  private readonly firstResponse: ReturnType<typeof setTimeout>;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly query: FollowedQuery,
    private readonly document: DocumentNode,
    private readonly options: FollowUpOptions,
  ) {
    this.firstResponse = setTimeout(() => this.end(), firstResponseMs);
    // In Node it does not keep the process running.
    Object(this.firstResponse).unref?.();
  }

  start(): void {
    this.options.signal?.addEventListener('abort', this.end);
    const unsubscribe = this.query.subscribe((data) => {
      this.data = data ?? null;
      this.plan();
    });
    this.unsubscribe = unsubscribe;
    // The data may have arrived at once, and nothing of it is running.
    if (this.hasEnded) unsubscribe();
  }

  private plan(): void {
    if (this.hasEnded || this.next !== null || this.data === null) return;
    clearTimeout(this.firstResponse);
    const seconds = secondsUntilDue(this.document, this.data);
    if (seconds === null) {
      this.end();
      return;
    }
    const now = performance.now();
    this.sendUntil ??= now + sendingMs;
    const isLast = now + 1_000 * seconds > this.sendUntil;
    this.next = setTimeout(() => void this.ask(isLast), isLast ? 0 : 1_000 * seconds);
  }

  private async ask(isLast: boolean): Promise<void> {
    const pending = documentOfPending(this.document, this.data);
    const isAnswered = pending === null || (await this.query.ask(pending, isLast ? untilComplete : {}));
    this.next = null;
    // An error would probably come again.
    if (isAnswered && !isLast) this.plan();
    else this.end();
  }

  private readonly end = (): void => {
    this.hasEnded = true;
    this.unsubscribe?.();
    clearTimeout(this.firstResponse);
    if (this.next !== null) clearTimeout(this.next);
    this.options.signal?.removeEventListener('abort', this.end);
  };
}
