import type { RegistryDataSource } from '../../../money/calls/data-source';
import { DryRunDataSource } from '../../../money/calls/dry-run-data-source';
import { ContentBudget } from '../content-budget';
import type { Context } from '../context';
import { PdfTextReader } from '../files/pdf-text-reader';

type Parts = Pick<Context, 'catalogue' | 'limiter' | 'dryRunBudget' | 'checkDigits' | 'now'>;

/** Returns the context of dry runs that belong to no request: without a caller, a ledger and extensions. */
export function createDryRunContext(source: Pick<RegistryDataSource, 'address' | 'sandbox'>, parts: Parts): Context {
  const { sandbox } = source;
  return {
    ...parts,
    dataSource: new DryRunDataSource(source),
    caller: { bearer: null, account: '', tenant: '', sandbox, usesServerToken: false, permissions: null },
    ledger: null,
    extensions: {},
    operations: null,
    path: null,
    language: 'en',
    links: { read: () => Promise.reject(new Error('A dry run reads no link.')), recognises: () => false },
    pdfText: new PdfTextReader(),
    signal: new AbortController().signal,
    showsBalance: false,
    unitPrice: null,
    verifiedUnitPrice: async () => null,
    tagPattern: null,
    contentBudget: new ContentBudget(),
    checkTrusted: () => undefined,
  };
}
