import { trace } from '@opentelemetry/api';
import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { SecretChange } from '../../config/secret-watch';
import type { Config } from '../../config/settings';
import type { CallReport } from '../../registry/client/request-sender';

declare const loggable: unique symbol;
/** A name that cannot be an identifier. */
export type LoggableName = string & { readonly [loggable]: true };

/** Returns a name, or null if it may be an identifier: it is too long or has too many digits. A caller may name an operation after a CURP. */
export function toLoggableName(name: string | null): LoggableName | null {
  return name !== null && name.length <= 64 && name.replace(/\D/g, '').length < 4 ? (name as LoggableName) : null;
}

export type TokenRejection =
  | 'token_malformed'
  | 'algorithm_not_allowed'
  | 'key_unknown'
  | 'keys_unavailable'
  | 'signature_wrong'
  | 'token_expired'
  | 'token_not_valid_yet'
  | 'exp_missing'
  | 'issuer_wrong'
  | 'audience_wrong';

interface UntrustedOperationFields {
  readonly requestId: string;
  readonly operation: LoggableName | null;
  readonly action: 'rejected' | 'logged';
}

interface EventFields {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly attempts: number;
}

/** Events that need no attention. */
const quietEvents: ReadonlySet<string> = new Set(['batch.ready', 'batch.done', 'registry.resumed']);

interface AuditFields {
  readonly id: string;
  readonly requestId: string;
  readonly action: string;
  readonly outcome: string;
  readonly client: string | null;
  readonly scope: string | null;
}

interface RequestLogEntry {
  readonly requestId: string;
  readonly traceId: string | null;
  /** Path of the route, without what the client sent. */
  readonly path: string | null;
  readonly operation: LoggableName | null;
  /** Keyed hash of the account's token. */
  readonly account: string | null;
  /** Client that `x-client-name` or the JWT names, or null. */
  readonly client: LoggableName | null;
  readonly reason: TokenRejection | null;
  readonly status: number | null;
  /** Number of errors by their code. */
  readonly errors: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly units: number;
  readonly uncertain: number;
  readonly saved: number;
  readonly ms: number;
}

/** Maximum number of logged clients and headers. Anyone can invent clients. */
const maxDroppedLabels = 100;

/**
 * Writes all log lines, as JSON. Each method has its own fields, for names and numbers, so that no data of a person, a document or a token
 * can reach the log. Errors are logged without their messages.
 */
export class Logger {
  private readonly droppedLabels = new Set<string>();

  constructor(private readonly pino: PinoLogger) {}

  request(line: RequestLogEntry): void {
    // pino leaves out a field that is undefined.
    const traceId = line.traceId ?? undefined;
    const reason = line.reason ?? undefined;
    const errors = Object.keys(line.errors).length === 0 ? undefined : line.errors;
    this.pino.info({ ...line, traceId, reason, errors }, 'request');
  }

  call({ endpoint, account, result, status, detail, milliseconds }: CallReport): void {
    this.pino.debug({ endpoint, account, result, status, detail, milliseconds }, 'registry call');
  }

  audit({ id, requestId, action, outcome, client, scope }: AuditFields, account: string): void {
    this.pino.info({ id, requestId, account, client: toLoggableName(client), scope, action, outcome }, 'audit');
  }

  /** Logs the name of an operation without its text, which may contain values. */
  untrustedOperation({ requestId, operation, action }: UntrustedOperationFields): void {
    this.pino.warn({ requestId, operation, action }, 'this operation is not a trusted document');
  }

  internalError(error: unknown, requestId: string | null, traceId: string | null = null): void {
    this.pino.error({ requestId, ...(traceId === null ? {} : { traceId }), error: safeStack(error) }, 'internal error');
  }

  fatal(error: unknown): void {
    this.pino.fatal({ error: safeStack(error) }, 'internal error: stopping');
  }

  /** Logs the name of a variable without its value, which may be a secret. */
  misspeltSetting(name: string, nearest: string): void {
    this.pino.warn({ name, nearest }, 'this variable is not a setting: did you mean the nearest one?');
  }

  /** Logs a text that another part has written for operators, without secrets. */
  notice(level: 'info' | 'warn' | 'error', text: string): void {
    this.pino[level](text);
  }

  secretsChanged({ changed, needRestart, errors }: SecretChange): void {
    if (errors.length > 0)
      this.pino.warn({ errors }, 'the files of secrets cannot be used: padron keeps the secrets that it has');
    else if (needRestart.length > 0)
      this.pino.warn({ changed, needRestart }, 'secrets have changed: restart padron to use those in needRestart');
    else this.pino.info({ changed }, 'secrets have changed: padron uses the new ones');
  }

  spanExportMissing(command: string): void {
    this.pino.warn({ command }, 'OTEL_EXPORTER_OTLP_ENDPOINT is set, but no trace is exported: run this command first');
  }

  /** Logs a rejected origin, or null if the origin may contain more than a host name. */
  originRejected(origin: string | null): void {
    this.pino.warn({ origin }, 'a page of this origin may not send requests: add it to CORS_ORIGINS if it should');
  }

  /** Logs once for each header and client that a label is not in the ledger. Its value may identify a person. */
  labelDropped(header: string, client: LoggableName | null): void {
    const key = `${header} ${client}`;
    if (this.droppedLabels.has(key) || this.droppedLabels.size >= maxDroppedLabels) return;
    this.droppedLabels.add(key);
    this.pino.warn(
      { header, client },
      'the ledger has no label from this header: it has more than three digits, does not match TAG_PATTERN, or looks like an identifier',
    );
  }

  jwksUnavailable(reason: string): void {
    this.pino.error({ reason }, 'the keys of JWT_JWKS_URL cannot be fetched: tokens with new keys are rejected');
  }

  dataKeysBesideData(): void {
    this.pino.warn('DATA_KEYS is not set: the keys are stored in DATA_DIR, beside the data that they encrypt');
  }

  connectionsMissing(opened: number, wanted: number): void {
    this.pino.warn(
      { opened, wanted },
      'PostgreSQL gave fewer connections than this process needs: raise max_connections, or the limit of the database or of its user',
    );
  }

  dataKeysMissing(marks: readonly string[]): void {
    this.pino.error(
      { marks },
      'the ledger was written with keys that are missing in DATA_KEYS: accounts and budgets of that time are not found',
    );
  }

  /** Logs an internal error of an extension, without its message, which may quote a row. */
  partFailed(part: string, error: unknown): void {
    const { name, stack } = error instanceof Error ? error : new Error('no error');
    const place = (stack ?? '').split('\n').filter((line) => line.startsWith('    at '))[0];
    this.pino.error({ error: name, place: place?.trim() ?? null }, `internal error in ${part}`);
  }

  ledgerStoreUnavailable(reason: string): void {
    this.pino.error(
      { reason },
      'the store of the ledger is unavailable: no paid call is sent, and the closings of running calls wait in memory',
    );
  }

  ledgerStoreAvailable(): void {
    this.pino.info('the store of the ledger is available again');
  }

  /** Logs that an older copy has taken the place of the store while this process runs. */
  ledgerStoreOlder(): void {
    this.pino.error(
      'the store is older than this process remembers: what was written since is missing. Erase again who was erased since then. Answers kept for REUSE_DAYS before now are not used any more',
    );
  }

  settingsDiffer(settings: readonly string[]): void {
    this.pino.warn({ settings }, 'processes that share this store have different settings: give all of them the same');
  }

  rowsDeleted(rows: Readonly<Record<string, number>>): void {
    this.pino.info({ rows }, 'expired rows were deleted');
  }

  clockDiffers(aheadSeconds: number): void {
    this.pino.error(
      { aheadSeconds },
      'the clocks of this process and of the store differ: this process deletes no expired rows. Synchronize the clocks (NTP)',
    );
  }

  /** Logs that the purge of the ledger waits for a confirmation of its newest day. */
  purgeHeld(newestDay: string): void {
    this.pino.error(
      { newestDay },
      `the purge would leave no entry or no link to a person in the ledger, so it deletes nothing. Check the clock of this machine. If it is right, set PURGE_CONFIRMED=${newestDay}`,
    );
  }

  purgeFailed(error: unknown): void {
    this.internalError(error, null);
  }

  /** Logs an event with its data, which contains no personal data. */
  eventHappened({ id, type, data }: EventFields): void {
    const level = quietEvents.has(type) ? 'info' : 'warn';
    this.pino[level]({ event: id, type, ...data }, 'an event has happened');
  }

  eventNotDelivered({ id, type, attempts }: EventFields, reason: string, isFinal: boolean): void {
    const consequence = isFinal ? 'it is FAILED, and only resendRegistryEvent sends it again' : 'it will be sent again';
    this.pino.error({ event: id, type, attempts, reason }, `WEBHOOK_URL did not accept an event: ${consequence}`);
  }

  ledgerEntriesLost(count: number): void {
    this.pino.error(
      { count },
      'closings of calls are lost: the store rejected them, or memory had no room for them. Their entries become UNKNOWN',
    );
  }

  answersNotKept(count: number): void {
    this.pino.warn(
      { count },
      'paid answers are not kept for later requests: KEEP_ACCOUNT_BYTES of the account are used up, or the person was erased',
    );
  }

  migrationWaits(processes: number): void {
    this.pino.info({ processes }, 'waiting until the processes of earlier versions have stopped, to migrate the store');
  }

  /** `isOwn`: this process has put the list into the store. */
  pricesChanged(version: number, isOwn: boolean): void {
    this.pino.info(
      { version },
      isOwn ? 'put a new price list into the store' : 'the price list of the store is newer, and in force',
    );
  }

  storeSuperseded(migrations: readonly string[]): void {
    this.pino.warn(
      { migrations },
      'stopping: a newer version of padron migrates the store, and this version cannot use it afterwards. Start the newer version',
    );
  }

  stopping(signal: 'SIGTERM' | 'SIGINT'): void {
    this.pino.info({ signal }, 'stopping');
  }
}

export function createLogger(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: activeTrace } as const;
  return new Logger(destination === undefined ? pino(options) : pino(options, destination));
}

function activeTrace(): { readonly traceId?: string } {
  const span = trace.getActiveSpan();
  return span === undefined ? {} : { traceId: span.spanContext().traceId };
}

/** Returns the type and the stack of an error without its message, which may quote the client. */
export function safeStack(error: unknown): { readonly type: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const { stack = '', message } = error;
  // The message is cut off first, because one of its lines may look like a frame.
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return { type: error.name, at: frames.slice(0, 8).map((line) => line.trim()) };
}
