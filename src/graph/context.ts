import type { RegistryDataSource } from '../registry/data-source';
import type { LinkReader } from '../registry/link';
import type { CatalogueEntry } from './catalogue';

/** What the resolvers of one GraphQL request share. */
export interface Context {
  readonly dataSource: RegistryDataSource;
  readonly links: LinkReader;
  readonly catalogue: readonly CatalogueEntry[];
  /** Whether a wrong check digit is refused before it costs anything, or asked all the same with a warning. */
  readonly checkDigits: 'refuse' | 'warn';
  readonly now: () => Date;
  /** Whether the operator told where the account's balance is read. */
  readonly tellsBalance: boolean;
  /** Bytes of file content that this response may still hold. */
  readonly fileAllowance: { bytes: number };
}
