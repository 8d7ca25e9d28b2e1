import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { limitOverlaps } from '../../graph/operations/overlap-rule';
import type { RequestContext } from '../request-context';
import type { Services } from '../services';
import { createRequestPipeline } from './plugins/request-pipeline';

/** A client may write personal data into a document instead of a variable, so no document is kept for longer. */
const keptMs = 600_000;
const maxBytes = 64_000_000;
/** Bytes of a parsed document for each character of its text. Dense texts need up to twice as much. */
const bytesPerCharacter = 100;

/** Returns a cache with a limit of memory, in the interface of Apollo Server. */
function boundedCache<Value extends object | string>(bytesOf: (value: Value) => number) {
  const cache = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value) => bytesOf(value) + 1,
    ttl: keptMs,
    ttlAutopurge: true,
  });
  return {
    get: async (key: string) => cache.get(key),
    set: async (key: string, value: Value) => void cache.set(key, value),
    delete: async (key: string) => cache.delete(key),
  };
}

/** Creates Apollo Server with padron's limits, caches, errors and steps of a request. */
export function createApolloServer(services: Services): ApolloServer<RequestContext> {
  const { config, graph, errors } = services;
  return new ApolloServer<RequestContext>({
    schema: graph.schema,
    // If only the explorer is on, the request pipeline admits authenticated callers.
    introspection: config.introspection || config.explorer,
    hideSchemaDetailsFromClientErrors: !config.introspection,
    csrfPrevention: true,
    documentStore: boundedCache(
      (document: DocumentNode) => bytesPerCharacter * (document.loc?.source.body.length ?? 0),
    ),
    // With trusted documents, clients cannot register texts.
    persistedQueries:
      config.trustedDocuments === null ? { cache: boundedCache((text: string) => 2 * text.length) } : false,
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
