import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { limitOverlaps } from '../../graph/operations/overlap-rule';
import type { RequestContext } from '../request-context';
import type { Services } from '../services';
import { DocumentStore } from './document-store';
import { createRequestPipeline } from './plugins/request-pipeline';

/** Creates Apollo Server with padron's limits, caches, errors and steps of a request. */
export function createApolloServer(services: Services): ApolloServer<RequestContext> {
  const { config, graph, errors } = services;
  const store = new DocumentStore();
  return new ApolloServer<RequestContext>({
    schema: graph.schema,
    // If only the explorer is on, the request pipeline admits authenticated callers.
    introspection: config.introspection || config.explorer,
    hideSchemaDetailsFromClientErrors: !config.introspection,
    csrfPrevention: true,
    documentStore: store.documents,
    // With trusted documents, clients cannot register texts.
    persistedQueries: config.trustedDocuments === null ? { cache: store.persistedQueries } : false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: config.limits.tokens },
    validationRules: [limitOverlaps],
    formatError: errors.format,
    // Apollo's log lines contain error messages, which may quote the client. `formatError` reports failures instead.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    plugins: [
      createRequestPipeline(services),
      // Apollo Server enables these by default. They take time on every field, or send data to Apollo.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}
