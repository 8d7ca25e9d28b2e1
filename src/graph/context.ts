import type { PdfTextReader } from '../pdf-text/pdf-text-reader';
import type { RegistryDataSource } from '../registry/data-source';
import type { SignedLinkClient } from '../registry/signed-links';
import type { CatalogueEntry } from './catalogue';
import type { ContentBudget } from './content-budget';

/** What the resolvers of one GraphQL request share. */
export interface Context {
  readonly dataSource: RegistryDataSource;
  readonly links: SignedLinkClient;
  readonly pdfText: PdfTextReader;
  readonly catalogue: readonly CatalogueEntry[];
  /** Whether a wrong check digit is rejected before it costs anything, or asked all the same with a warning. */
  readonly checkDigits: 'refuse' | 'warn';
  readonly now: () => Date;
  /** Whether the operator set where the account's balance is read. */
  readonly showsBalance: boolean;
  /** Bytes of file content that this response may still hold. */
  readonly contentBudget: ContentBudget;
}
