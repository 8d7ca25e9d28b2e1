// type-graphql needs it before any class of the graph is loaded.
import 'reflect-metadata';
import type { GraphPart } from '../../../graph/schema/build-schema';
import { batchCodes } from '../codes';
import { BatchChangesResolver } from './changes';
import { BatchResolver, resolveBatchReference } from './resolver';

export const batchGraph: GraphPart = {
  tag: 'batch',
  codes: batchCodes,
  resolvers: [BatchResolver, BatchChangesResolver],
  references: { RegistryBatch: resolveBatchReference },
  // A page of rows is decrypted, and a document is parsed.
  weights: {
    registryBatch: 200,
    registryBatches: 2_000,
    'RegistryBatch.rows': 1_000,
    'RegistryBatch.refusedRows': 1_000,
    'RegistryBatch.earlierAnswers': 1_000,
    createRegistryBatch: 20_000,
    startRegistryBatch: 1_000,
    pauseRegistryBatch: 1_000,
    resumeRegistryBatch: 1_000,
    cancelRegistryBatch: 10_000,
    retryRegistryBatch: 10_000,
    eraseRegistryBatch: 10_000,
  },
  nullWithoutError: { 'Query.registryBatch': 'The caller has no batch with this ID.' },
  semanticNonNull: ['RegistryBatch.rows'],
};
