import { AccountBatches } from '../../batch/account-batches';
import type { BatchDependencies } from '../../batch/batch-dependencies';
import { BatchFiles } from '../../batch/batch-files';
import type { BatchRequest } from '../../batch/batches';
import { BatchWorker } from '../../batch/run/batch-worker';
import { TokenStore } from '../../batch/run/token-store';
import { purgeBatches } from '../../batch/storage/erase';
import { BatchQuotas } from '../../batch/storage/quotas';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { Persistence } from '../persistence';
import type { RunningBatches, SharedServices } from '../services';
import { GraphOperations } from './operation-reader';

const purgeMs = 3_600_000;

/** Starts the batches in the open store. Returns null without a store. A store in memory is opened when a caller creates the first batch. */
export function startBatches(services: SharedServices, persistence: Persistence | null): RunningBatches | null {
  if (persistence === null) return null;
  const { config, client, graph, knownAccounts, ledger, log, metrics, replay } = services;
  const { keys: ring, accounts, subjects, links } = persistence;
  const { batch } = config;
  // The ledger's view of the store reports failed statements of batches too.
  const store = ledger?.recording.store ?? persistence.store;
  const tokens = new TokenStore(batch.tokens === 'sealed');
  const operations = new GraphOperations(services);
  const onError = (error: unknown): void => log.batchError(error);
  const shared = { store, ring, subjects, operations, tokens };
  const worker = new BatchWorker({
    ...shared,
    client,
    replay,
    serverToken: config.registryToken,
    concurrency: batch.concurrency,
    anyEndpoint: batch.endpoints === 'any',
    maxUnits: config.maxUnits,
    runsBatches: batch.role !== 'graph',
    ledgerOf: ({ client: label, tag, id }, caller) => {
      const origin = { client: label, tag, operation: () => null, requestId: null, batchId: id };
      return ledger?.recording.forRequest(caller, origin) ?? null;
    },
    observer: metrics.batches.register(),
    onError,
  });
  const dependencies: BatchDependencies = {
    ...shared,
    accounts,
    worker,
    links,
    knownAccounts,
    quotas: new BatchQuotas(store, batch),
    scopeOf: (route) => graph.catalogue.find(({ endpoint }) => endpoint.name === route)?.endpoint.scope ?? null,
    timeZone: config.data.timeZone,
    maxRows: batch.maxRows,
    tagPattern: config.tagPattern,
    retentionDays: batch.retentionDays,
  };
  if (config.data.store?.kind !== 'memory') void worker.wake();
  const timer = startPurge(worker, store, onError);
  return {
    of: (request: BatchRequest) => new AccountBatches(dependencies, request),
    files: new BatchFiles(dependencies),
    links,
    stop: async () => {
      clearInterval(timer);
      await worker.stop();
    },
  };
}

/** Deletes expired and abandoned batches now and once an hour. A store in memory is not opened for it. */
function startPurge(worker: BatchWorker, store: Store, onError: (error: unknown) => void): NodeJS.Timeout {
  const purge = (): void => {
    if (worker.wakeCount === 0) return;
    purgeBatches(store).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onError(error);
    });
  };
  purge();
  return setInterval(purge, purgeMs);
}
