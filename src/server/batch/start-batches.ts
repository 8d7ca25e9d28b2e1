import { AccountBatches } from '../../batch/account-batches';
import type { BatchDependencies } from '../../batch/batch-dependencies';
import { BatchFiles } from '../../batch/batch-files';
import type { Batches, BatchRequest } from '../../batch/batches';
import { BatchWorker } from '../../batch/run/batch-worker';
import { TokenStore } from '../../batch/run/token-store';
import { purgeBatches } from '../../batch/storage/erase';
import { BatchQuotas } from '../../batch/storage/quotas';
import { AccountNames } from '../../ledger/account-names';
import { SubjectIndex } from '../../ledger/subject-index';
import { SealedLinks } from '../../store/sealed-links';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { Data } from '../data';
import type { Services } from '../request-context';
import { GraphOperations } from './operation-reader';

/** The batches of this process. */
export interface RunningBatches extends Batches {
  readonly files: BatchFiles;
  readonly links: SealedLinks;
  /** Stops the worker when its running calls are answered and written. */
  stop(): Promise<void>;
}

const purgeMs = 3_600_000;

/** Starts the batches of this process. If the store is in memory, the worker starts when a caller creates the first batch. */
export function startBatches(services: Omit<Services, 'batches'>, data: Data, serviceUrl: string): RunningBatches {
  const { config, client, now, log, metrics } = services;
  const { store, keys } = data;
  const { batch, registryToken } = config;
  const tokens = new TokenStore(batch.tokens === 'sealed');
  const operations = new GraphOperations(services);
  const onError = (error: unknown): void => log.batchError(error);
  const subjects = data.ledger?.subjects ?? new SubjectIndex(keys);
  const worker = new BatchWorker({
    store,
    ring: keys,
    client,
    replay: services.replay,
    operations,
    tokens,
    serverToken: registryToken,
    concurrency: batch.concurrency,
    anyEndpoint: batch.endpoints === 'any',
    maxUnits: config.maxUnits,
    subjects,
    runsBatches: batch.role !== 'graph',
    ledgerOf: ({ client: label, tag, id }, caller) =>
      data.ledger?.forRequest(caller, {
        client: label,
        tag,
        operation: () => null,
        requestId: null,
        batchId: id,
      }) ?? null,
    observer: metrics.batches.register(),
    onError,
  });
  const dependencies: BatchDependencies = {
    store,
    ring: keys,
    accounts: data.ledger?.accounts ?? new AccountNames(keys, serviceUrl),
    subjects,
    worker,
    tokens,
    operations,
    links: new SealedLinks(keys, now),
    knownAccounts: services.knownAccounts,
    quotas: new BatchQuotas(store, batch),
    scopeOf: (route) =>
      services.graph.catalogue.find(({ endpoint }) => endpoint.name === route)?.endpoint.scope ?? null,
    maxRows: batch.maxRows,
    retentionDays: batch.retentionDays,
  };
  const isPersistent = config.data.store?.kind !== 'memory';
  if (isPersistent) void worker.wake();
  const purgeTimer = isPersistent ? startPurge(store, onError) : undefined;
  return {
    of: (request: BatchRequest) => new AccountBatches(dependencies, request),
    files: new BatchFiles(dependencies),
    links: dependencies.links,
    stop: async () => {
      clearInterval(purgeTimer);
      await worker.stop();
    },
  };
}

/** Erases expired batches, now and each hour. */
function startPurge(store: Store, onError: (error: unknown) => void): NodeJS.Timeout {
  const purge = (): void => {
    purgeBatches(store).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onError(error);
    });
  };
  purge();
  return setInterval(purge, purgeMs);
}
