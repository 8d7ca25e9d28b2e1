import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import type { OperationLimiter } from '../graph/core/operations/operation-limits';
import {
  checkDocument,
  DocumentFileError,
  type DocumentRules,
  type PublishedDocument,
  readDocuments,
} from '../graph/core/operations/read-documents';
import { TrustedDocuments } from '../graph/core/operations/trusted-documents';
import type { TrustRules } from './apollo/operation-gate';
import { SignatureLimiter } from './apollo/plugins/signature-limit';

/**
 * Reads and checks the documents of `TRUSTED_DOCUMENTS`. Returns null without this setting. Throws a `ConfigError` that names each document
 * that could not run.
 */
export function loadTrustedDocuments(
  { trustedDocuments, limits }: Pick<Config, 'trustedDocuments' | 'limits'>,
  schema: GraphQLSchema,
  limiter: OperationLimiter,
): TrustRules | null {
  if (trustedDocuments === null) return null;
  const { paths, mode } = trustedDocuments;
  try {
    // Each path is read separately, because two versions of a frontend may have fragments of the same name.
    const published = paths.flatMap((path) => readDocuments([path], limits.tokens));
    const errors = findErrors(published, { schema, limiter, maxTokens: limits.tokens });
    if (errors.length > 0) throw new ConfigError(errors.map(explain));
    return { documents: new TrustedDocuments(published), mode };
  } catch (error) {
    throw error instanceof DocumentFileError ? new ConfigError([explain(error.message)]) : error;
  }
}

const explain = (message: string): string => `TRUSTED_DOCUMENTS: ${message}`;

function findErrors(published: readonly PublishedDocument[], rules: DocumentRules): readonly string[] {
  const signatures = new SignatureLimiter();
  return published.flatMap((document) => {
    try {
      const checked = checkDocument(document, rules);
      signatures.check(checked.document, checked.operation);
      return [];
    } catch (error) {
      if (error instanceof DocumentFileError) return [error.message];
      if (error instanceof GraphQLError) return [`${document.source}: ${error.message}`];
      throw error;
    }
  });
}
