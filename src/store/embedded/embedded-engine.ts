import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Engine, Session } from '../store';
import { isSqlState, type StoreParameter, StoreUnavailableError, toStoreError, UnusableStoreError } from '../store';
import { type FolderLock, lockFolder } from './folder-lock';

type ThreadRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly StoreParameter[] }
  | { readonly kind: 'script'; readonly sql: string }
  | { readonly kind: 'close' };

/** Rows, and the names of the columns whose values change their class on the way between threads. */
interface Rows {
  readonly rows: readonly object[];
  readonly byteColumns: readonly string[];
}

type ThreadResponse =
  | ({ readonly id: number } & Rows)
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };

interface PendingRequest {
  readonly resolve: (rows: readonly object[]) => void;
  readonly reject: (error: Error) => void;
}

const openId = 0;
const closeMs = 10_000;

/** PGlite in a thread. It stores its data in a folder locked by this process, or in memory if there is no folder. */
export class EmbeddedEngine implements Engine {
  readonly name = 'embedded';
  readonly connections = null;
  private lock: FolderLock | null = null;
  private worker: Worker | null = null;
  private readonly pending = new Map<number, PendingRequest>();
  private lastId = openId;

  constructor(private readonly dataFolder: string | null) {}

  async connect(): Promise<void> {
    if (this.worker !== null) return;
    if (this.dataFolder !== null && this.lock === null) this.lock = await takeLock(this.dataFolder);
    const opened = new Promise<readonly object[]>((resolve, reject) => this.pending.set(openId, { resolve, reject }));
    this.startThread();
    await opened;
  }

  async query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    await this.connect();
    return this.send({ kind: 'query', sql, parameters });
  }

  /** Runs a query. The engine has one connection, so readers share it with all other statements. */
  read(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    return this.query(sql, parameters);
  }

  queryAhead(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    return this.query(sql, parameters);
  }

  /** Runs `use` on the only connection. No other statement uses the connection before the store is open. */
  withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
    return use({
      query: (sql, parameters = []) => this.send({ kind: 'query', sql, parameters }),
      script: async (sql) => void (await this.send({ kind: 'script', sql })),
    });
  }

  async close(): Promise<void> {
    const { worker } = this;
    if (worker !== null && this.dataFolder === null) await worker.terminate();
    else if (worker !== null) {
      const timer = setTimeout(() => void worker.terminate(), closeMs);
      await this.send({ kind: 'close' }).catch(() => undefined);
      await worker.terminate();
      clearTimeout(timer);
    }
    await this.lock?.release();
    this.lock = null;
  }

  private send(request: ThreadRequest): Promise<readonly object[]> {
    const { worker } = this;
    if (worker === null) return Promise.reject(new StoreUnavailableError('The embedded store has stopped.'));
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      this.pending.set(this.lastId, { resolve, reject });
      worker.postMessage({ id: this.lastId, ...request });
    });
  }

  private startThread(): void {
    const folder = this.dataFolder === null ? null : join(this.dataFolder, 'store');
    // The thread gets neither this process's options, such as `--require`, nor its environment.
    const worker = new Worker(join(__dirname, 'worker.mjs'), {
      workerData: { folder },
      env: {},
      execArgv: [],
      // The thread's objects are short-lived. V8 would use 48 MB for them without making statements faster.
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    this.worker = worker;
    worker.on('message', (response: ThreadResponse) => this.settle(response));
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.worker = null;
      for (const { reject } of this.pending.values())
        reject(new StoreUnavailableError('The embedded store has stopped.'));
      this.pending.clear();
    });
  }

  private settle(response: ThreadResponse): void {
    const pending = this.pending.get(response.id);
    this.pending.delete(response.id);
    if ('rows' in response) pending?.resolve(withBuffers(response));
    else pending?.reject(toError(response.error));
  }
}

async function takeLock(folder: string): Promise<FolderLock> {
  const lock = await lockFolder(folder);
  if ('release' in lock) return lock;
  throw new UnusableStoreError(
    `DATA_DIR is in use by ${lock.holder}. Two processes would destroy its data. Set a different DATA_DIR for each process, or set DATABASE_URL.`,
  );
}

/** Bytes arrive from the thread as `Uint8Array`. */
function withBuffers({ rows, byteColumns }: Rows): readonly object[] {
  if (byteColumns.length === 0) return rows;
  return rows.map((row) => {
    const values: Record<string, unknown> = { ...row };
    for (const name of byteColumns) values[name] = toBuffer(values[name] as Uint8Array | null);
    return values;
  });
}

const toBuffer = (bytes: Uint8Array | null): Buffer | null =>
  bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function toError({ message, code }: { readonly message: string; readonly code: string }): Error {
  if (code === 'UNUSABLE') return new UnusableStoreError(message);
  if (isSqlState(code)) return toStoreError(code, message, 'The embedded store cannot run statements now');
  const cause = code === 'UNOPENED' && message !== '' ? ` (${message})` : '';
  return new StoreUnavailableError(
    `The embedded store cannot be opened${cause}. Check that its files are intact and writable.`,
  );
}
