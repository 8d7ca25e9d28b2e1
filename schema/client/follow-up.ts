import type { DocumentNode } from 'graphql';
import { documentOfPending, secondsUntilDue } from './pending-lookups';

/** Limits of the follow-up of lookups that are still running. */
export interface FollowUpOptions {
  /** Ends the follow-up, for example when the component unmounts. */
  readonly signal?: AbortSignal;
  /** Maximum number of requests. Default: 20. */
  readonly maxRequests?: number;
  /** Maximum duration in seconds. Default: 300. */
  readonly maxSeconds?: number;
}

/** A query as a client's cache and network know it. */
export interface FollowedQuery {
  /** Passes the data of the query to the listener, now and whenever it changes. Returns a function that ends this. */
  subscribe(listener: (data: unknown) => void): () => void;
  /** Sends a document to the network, and writes its answer to the cache. Resolves to whether it was answered without an error. */
  ask(document: DocumentNode): Promise<boolean>;
}

/**
 * Asks again for the lookups of a query that are still running, when their answers are expected, until all have arrived or a limit is
 * reached. Waits for the first response, so it can start before it.
 */
export function followUp(query: FollowedQuery, document: DocumentNode, options: FollowUpOptions = {}): void {
  if (!options.signal?.aborted) new FollowUp(query, document, options).start();
}

class FollowUp {
  private data: unknown = null;
  private requests = 0;
  private hasEnded = false;
  /** The next request, or its wait. Null if nothing is running. */
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly latestEnd: number;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly query: FollowedQuery,
    private readonly document: DocumentNode,
    private readonly options: FollowUpOptions,
  ) {
    this.latestEnd = Date.now() + 1_000 * (options.maxSeconds ?? 300);
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
    if (this.hasEnded || this.timer !== null || this.data === null) return;
    const seconds = secondsUntilDue(this.document, this.data);
    const isOver = this.requests >= (this.options.maxRequests ?? 20) || Date.now() > this.latestEnd;
    if (seconds === null || isOver) this.end();
    else this.timer = setTimeout(() => void this.ask(), 1_000 * seconds);
  }

  private async ask(): Promise<void> {
    this.requests += 1;
    const pending = documentOfPending(this.document, this.data);
    const isAnswered = pending === null || (await this.query.ask(pending));
    this.timer = null;
    // An error would come again, for example if the server only runs trusted documents.
    if (isAnswered) this.plan();
    else this.end();
  }

  private readonly end = (): void => {
    this.hasEnded = true;
    this.unsubscribe?.();
    if (this.timer !== null) clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.end);
  };
}
