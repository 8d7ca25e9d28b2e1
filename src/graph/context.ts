import type { CallerBatches } from '../batch/batches';
import type { RequestLedger } from '../ledger/reading/port';
import type { PdfTextReader } from '../pdf-text/pdf-text-reader';
import type { Language } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';
import type { RegistryDataSource } from '../registry/questions/data-source';
import type { FieldPath } from '../registry/questions/field-path';
import type { LinkReader } from '../registry/signed-links';
import type { CatalogueEntry } from './catalogue';
import type { ContentBudget } from './content-budget';
import type { DryRunBudget } from './dry-run-budget';
import type { OperationLimiter } from './operations/operation-limits';

/** What the resolvers of one GraphQL request share. */
export interface Context {
  readonly dataSource: RegistryDataSource;
  readonly caller: Caller;
  /** Null where none is kept. */
  readonly ledger: RequestLedger | null;
  /** The batches of the caller's account; null where none are kept. */
  readonly batches: (() => CallerBatches) | null;
  /** The paid field that asks, which its calls are reported under; null outside of one. */
  readonly path: FieldPath | null;
  /** In which problems are worded. */
  readonly language: Language;
  readonly links: LinkReader;
  readonly pdfText: PdfTextReader;
  readonly catalogue: readonly CatalogueEntry[];
  /** Whether a wrong check digit is rejected before it costs anything, or asked all the same with a warning. */
  readonly checkDigits: 'refuse' | 'warn';
  readonly now: () => Date;
  /** Aborts when the client leaves before it is answered. */
  readonly signal: AbortSignal;
  /** Whether the operator set where the account's balance is read. */
  readonly showsBalance: boolean;
  /** Bytes of file content that this response may still hold. */
  readonly contentBudget: ContentBudget;
  /** What the estimates of this request may still run through. */
  readonly dryRunBudget: DryRunBudget;
  readonly limiter: OperationLimiter;
}
