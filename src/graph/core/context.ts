import type { Language } from '../../identifiers/text';
import type { CallerOperations } from '../../money/answers/operations/lasting-operations';
import type { RegistryDataSource } from '../../money/calls/data-source';
import type { FieldPath } from '../../money/calls/units/field-path';
import type { CallerLedger } from '../../money/ledger/caller-ledger';
import type { Caller } from '../../registry/caller';
import type { Subject } from '../../registry/endpoint/endpoint';
import type { IdentifierFinder } from '../../registry/endpoint/person';
import type { LinkReader } from '../../registry/signed-links';
import type { PdfTextReader } from './files/pdf-text-reader';
import type { ContentBudget, DryRunBudget, OperationLimiter } from './operations/operation-limits';
import type { CatalogueEntry } from './paid-field';

/** An extension in the context of a request. Its own fields know more about it. */
export interface CallerExtension {
  /** Erases what it stores about a person. Returns the number of erased rows. */
  eraseSubject(subjects: readonly Subject[]): Promise<number>;
  /** Returns the IDs of keys of its data that `DATA_KEYS` lacks. An erasure would not find that data. */
  missingKeys(): Promise<readonly string[]>;
}

/** The part of a context that lookups use. A paid field gets a copy with its path: a copy of the whole context would take long. */
export interface LookupContext {
  /**
   * Answers the questions of resolvers. It is a `LiveDataSource`, which asks the service and pays, if a request or a row of a batch runs.
   * It is a `DryRunDataSource`, which only counts, if a price is found: for `x-dry-run`, a budget, `unitEstimate`, a tool, a batch
   * before its start, and `padron price`. Only the second one has `isDryRun`.
   */
  readonly dataSource: RegistryDataSource;
  readonly caller: Caller;
  /** Path of the paid field that is being resolved. Its calls are reported under this path. Null outside a paid field. */
  readonly path: FieldPath | null;
  readonly links: LinkReader;
  readonly pdfText: PdfTextReader;
  /** Whether an identifier with a wrong check digit is rejected without a call, or sent with a warning. */
  readonly checkDigits: 'refuse' | 'warn';
  /** The endpoints of files that find an identifier from another one, if the operator switched them on. */
  readonly finders: readonly IdentifierFinder[];
  readonly now: () => Date;
  /** Aborts if the client disconnects before it has its answer. */
  readonly signal: AbortSignal;
  readonly contentBudget: ContentBudget;
}

export interface Context extends LookupContext {
  /** Ledger of the caller's account, or null if the ledger is off. */
  readonly ledger: CallerLedger | null;
  /** What the extensions of padron offer to their fields, by the name of the extension. */
  readonly extensions: Readonly<Record<string, CallerExtension>>;
  /** Operations of the caller that last. Null without a store. */
  readonly operations: CallerOperations | null;
  readonly language: Language;
  readonly catalogue: readonly CatalogueEntry[];
  readonly showsBalance: boolean;
  /** Price of one unit in pesos as decimal text, for the amounts of the caller's own units. Null if the operator set none. */
  readonly unitPrice: string | null;
  /** Returns the price of one unit. Null for a token that the service does not know, because the price may be part of a contract. */
  readonly verifiedUnitPrice: () => Promise<string | null>;
  /** Tags that callers may use. If null, a tag may have three digits at most. */
  readonly tagPattern: RegExp | null;
  /** Counts the changes that are refused without an error. Undefined if nothing reads the count. */
  readonly refused?: { changes: number };
  readonly dryRunBudget: DryRunBudget;
  readonly limiter: OperationLimiter;
  /** Throws an error for the client if the caller may not run this operation in an estimate or a batch. */
  readonly checkTrusted: (operation: string) => void;
}
