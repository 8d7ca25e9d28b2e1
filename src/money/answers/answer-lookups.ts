import { StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import type { RuleName } from './rules';
import type { Settled } from './shared-answer';

/**
 * How old an answer may be. `operations` are the names of the operation that the request is a part of, and `elapsedMs` the time since the request
 * began, from which the age counts back.
 */
export interface Age {
  readonly operations: readonly string[];
  readonly maxAgeMs: number;
  readonly elapsedMs: number;
}

/** Place in which the store keeps an answer of the account for days. `quota` is the maximum bytes of the account's answers. */
export interface LastingPlace extends Age {
  readonly accounts: readonly string[];
  readonly names: readonly string[];
  readonly quota: number;
}

interface FoundDetails {
  readonly name: string;
  readonly call: string;
  /** When the answer was asked for: by the clock of the store, and as the milliseconds since then. */
  readonly at: number;
  readonly age: number;
  /** Set if the question repeats one of an early response of its caller, and null otherwise. */
  readonly settled?: Settled | null;
}

/** An answer that requests share. `key` is that of its bytes, for the keys of DATA_KEYS, in base64. */
export interface AnswerDetails extends FoundDetails {
  readonly rule: Exclude<RuleName, 'OPERATION'>;
  readonly key: string;
  /** Milliseconds until the rule ends. */
  readonly ms: number;
}

/** An answer that an operation keeps. Without a key it is lost. */
export interface KeptDetails extends FoundDetails {
  readonly rule: 'OPERATION';
  readonly key: string | null;
  readonly payer: string | null;
  /** Whether its charge is unknown. */
  readonly failed: boolean;
}

/** Names under which an answer may be, and how old it may be. Null: of any age. */
interface Lookup {
  readonly names: readonly string[];
  readonly age: Age | null;
}

/** An answer that the store keeps. `sealed` is null if its bytes are not read, or if the answer is lost. */
export interface StoredAnswer {
  readonly details: AnswerDetails | KeptDetails;
  readonly sealed: Buffer | null;
}

/** Maximum answers that a statement reads, because each may have 2 MB. */
const maxRead = 10;

/** The statement returns a row for each lookup, in their order. Its details are null without an answer. */
const findSql = `SELECT f.details, CASE WHEN $2 THEN f.sealed END AS sealed
  FROM ROWS FROM (json_to_recordset($1::json) AS (names text[], age json)) WITH ORDINALITY AS q(names, age, position)
  LEFT JOIN LATERAL answer_find(q.names, q.age, NULL) f ON true ORDER BY q.position`;

type Row = StoredAnswer | { readonly details: null };

/** Looks up the answers of the store by the rules. Lookups that arrive together share a statement: an estimate may look up a thousand questions. */
export class AnswerLookups {
  private readonly readers = this.createBatcher(true, maxRead);
  private readonly checks = this.createBatcher(false);

  constructor(private readonly store: Pick<Store, 'read'>) {}

  async find(names: readonly string[], age: Age | null, reads = true): Promise<StoredAnswer | null> {
    const row = await (reads ? this.readers : this.checks).add({ names, age });
    return row.details === null ? null : row;
  }

  private createBatcher(reads: boolean, maxItems?: number): StatementBatcher<Lookup, Row> {
    return new StatementBatcher(
      (lookups: readonly Lookup[]) => this.store.read<Row>(findSql, [JSON.stringify(lookups), reads]),
      maxItems,
    );
  }
}
