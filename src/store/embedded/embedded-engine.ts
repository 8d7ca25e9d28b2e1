import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Engine, Session } from '../engine';
import { isSqlState, toStoreError } from '../sqlstate';
import { type StoreParameter, StoreRefusedError, StoreUnavailableError } from '../store';
import { type FolderLock, lockFolder } from './folder-lock';

/** What the thread is asked to do. */
type Work =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly StoreParameter[] }
  | { readonly kind: 'script'; readonly sql: string }
  | { readonly kind: 'close' };

/** Rows, and the names of columns whose values lose their class on the way. */
interface Rows {
  readonly rows: readonly object[];
  readonly bytesIn: readonly string[];
  readonly momentsIn: readonly string[];
}

/** What the thread answers. */
type Reply =
  | ({ readonly id: number } & Rows)
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };

interface Waiting {
  readonly resolve: (rows: readonly object[]) => void;
  readonly reject: (error: Error) => void;
}

/** The thread says by it whether it could be opened. */
const openId = 0;
const closeMs = 10_000;

/** PGlite in a thread, over a folder that no other process has; without a folder in memory. */
export class EmbeddedEngine implements Engine {
  readonly name = 'embedded';
  private lock: FolderLock | null = null;
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = openId;

  constructor(private readonly dataFolder: string | null) {}

  /** Once; again where the thread has ended. */
  async connect(): Promise<void> {
    if (this.worker !== null) return;
    if (this.dataFolder !== null && this.lock === null) this.lock = await takeLock(this.dataFolder);
    const opened = new Promise<readonly object[]>((resolve, reject) => this.waiting.set(openId, { resolve, reject }));
    this.startThread();
    await opened;
  }

  async query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    await this.connect();
    return this.send({ kind: 'query', sql, parameters });
  }

  /** The engine has one connection: a reader takes its turn among all statements. */
  read(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    return this.query(sql, parameters);
  }

  /** There is one connection, and until the store is open nobody else has it. */
  withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
    return use({
      query: (sql, parameters = []) => this.send({ kind: 'query', sql, parameters }),
      script: async (sql) => void (await this.send({ kind: 'script', sql })),
    });
  }

  async close(): Promise<void> {
    const { worker } = this;
    if (worker !== null) {
      const timer = setTimeout(() => void worker.terminate(), closeMs);
      await this.send({ kind: 'close' }).catch(() => undefined);
      await worker.terminate();
      clearTimeout(timer);
    }
    await this.lock?.release();
    this.lock = null;
  }

  private send(work: Work): Promise<readonly object[]> {
    const { worker } = this;
    if (worker === null) return Promise.reject(new StoreUnavailableError('The embedded store has ended.'));
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      worker.postMessage({ id: this.lastId, ...work });
    });
  }

  private startThread(): void {
    const folder = this.dataFolder === null ? null : join(this.dataFolder, 'store');
    // What this process was started with, such as `--require`, is not for the thread; nor is the environment.
    const worker = new Worker(join(__dirname, 'worker.mjs'), {
      workerData: { folder },
      env: {},
      execArgv: [],
      // What it reads and writes is short-lived; V8 would take 48 MB for it, and statements are no faster by that.
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    this.worker = worker;
    worker.on('message', (reply: Reply) => this.settle(reply));
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.worker = null;
      for (const { reject } of this.waiting.values())
        reject(new StoreUnavailableError('The embedded store has ended.'));
      this.waiting.clear();
    });
  }

  private settle(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('rows' in reply) waiting?.resolve(withClasses(reply));
    else waiting?.reject(toError(reply.error));
  }
}

async function takeLock(folder: string): Promise<FolderLock> {
  const lock = await lockFolder(folder);
  if ('release' in lock) return lock;
  throw new StoreRefusedError(
    `DATA_DIR is in use by ${lock.holder}: two processes on one data folder would destroy it. Give each its own, or set DATABASE_URL.`,
  );
}

/** Between threads bytes lose their class, and a `Date` may be of another realm than who asked. */
function withClasses({ rows, bytesIn, momentsIn }: Rows): readonly object[] {
  if (bytesIn.length === 0 && momentsIn.length === 0) return rows;
  return rows.map((row) => {
    const values: Record<string, unknown> = { ...row };
    for (const name of bytesIn) values[name] = toBuffer(values[name] as Uint8Array | null);
    for (const name of momentsIn) values[name] = toDate(values[name] as Date | null);
    return values;
  });
}

const toBuffer = (bytes: Uint8Array | null): Buffer | null =>
  bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const toDate = (moment: Date | null): Date | null => (moment === null ? null : new Date(moment));

function toError({ message, code }: { readonly message: string; readonly code: string }): Error {
  if (code === 'REFUSED') return new StoreRefusedError(message);
  if (isSqlState(code)) return toStoreError(code, message, 'The embedded store cannot carry out statements now');
  const cause = code === 'UNOPENED' && message !== '' ? ` (${message})` : '';
  return new StoreUnavailableError(`The embedded store cannot be opened${cause}: is it whole, and may it be written?`);
}
