import { AccountBatches } from '../../batch/account-batches';
import { BatchFiles } from '../../batch/batch-files';
import type { BatchParts } from '../../batch/batch-parts';
import type { BatchCaller, Batches } from '../../batch/batches';
import { BatchWorker } from '../../batch/run/batch-worker';
import { TokenVault } from '../../batch/run/token-vault';
import { purgeBatches } from '../../batch/storage/erase';
import { BatchQuotas } from '../../batch/storage/quotas';
import { AccountNames } from '../../ledger/account-names';
import { SubjectIndex } from '../../ledger/subject-index';
import { SealedLinks } from '../../store/sealed-links';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { Data } from '../data';
import type { Services } from '../request-context';
import { GraphOperations } from './operation-reader';

/** The batches of this process, and what ends with it. */
export interface RunningBatches extends Batches {
  readonly files: BatchFiles;
  readonly links: SealedLinks;
  stop(): Promise<void>;
}

const purgeMs = 3_600_000;

/** Starts the batches on the open store. A store in memory is opened when a caller creates the first batch. */
export function startBatches(services: Omit<Services, 'batches'>, data: Data, serviceUrl: string): RunningBatches {
  const { config, client, now, log, metrics } = services;
  const { store, keys } = data;
  const { batch, registryToken } = config;
  const vault = new TokenVault(batch.tokens === 'sealed');
  const operations = new GraphOperations(services);
  const onFault = (error: unknown): void => log.batchFault(error);
  const subjects = data.ledger?.subjects ?? new SubjectIndex(keys);
  const worker = new BatchWorker({
    store,
    ring: keys,
    client,
    replay: services.replay,
    operations,
    vault,
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
    onFault,
  });
  const parts: BatchParts = {
    store,
    ring: keys,
    accounts: data.ledger?.accounts ?? new AccountNames(keys, serviceUrl),
    subjects,
    worker,
    vault,
    operations,
    links: new SealedLinks(keys, now),
    knownAccounts: services.knownAccounts,
    quotas: new BatchQuotas(store, batch),
    scopeOf: (route) =>
      services.graph.catalogue.find(({ endpoint }) => endpoint.name === route)?.endpoint.scope ?? null,
    maxRows: batch.maxRows,
    retentionDays: batch.retentionDays,
  };
  const timers = startTimers(config.data.store?.kind !== 'memory', worker, store, onFault);
  return {
    of: (caller: BatchCaller) => new AccountBatches(parts, caller),
    files: new BatchFiles(parts),
    links: parts.links,
    stop: async () => {
      clearInterval(timers);
      await worker.stop();
    },
  };
}

function startTimers(
  isKept: boolean,
  worker: BatchWorker,
  store: Store,
  onFault: (error: unknown) => void,
): NodeJS.Timeout | undefined {
  if (!isKept) return undefined;
  void worker.wake();
  const purge = (): void => {
    purgeBatches(store).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onFault(error);
    });
  };
  purge();
  return setInterval(purge, purgeMs);
}
