import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogLevel } from '../../config/config';
import type { CallReport } from '../../registry/client/call-report';

declare const loggable: unique symbol;
/** A name of which it was made sure that it is no identifier. */
export type LoggableName = string & { readonly [loggable]: true };

/** A developer names operations, but nothing stops one from naming it by a CURP: names hold few digits. */
export function loggableName(name: string | null): LoggableName | null {
  return name !== null && name.length <= 64 && name.replace(/\D/g, '').length < 4 ? (name as LoggableName) : null;
}

/** Why a JWT is not taken. Said here only: a caller is not told how near it came. */
export type TokenRefusal =
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

/** A budget as the log names it. */
export interface BudgetNote {
  readonly id: string;
  readonly period: string;
  readonly units: number;
}

/** What one request comes to. */
export interface RequestLogEntry {
  readonly requestId: string;
  readonly operation: LoggableName | null;
  /** The keyed hash of an account's token. */
  readonly account: string | null;
  /** Null where no token was refused. */
  readonly reason: TokenRefusal | null;
  /** Null where the client had left before its answer. */
  readonly status: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly units: number;
  readonly uncertain: number;
  readonly saved: number;
  readonly ms: number;
}

/**
 * All that padron ever writes down, as lines of JSON. There is no method for a text, an object or an error as it is: each takes
 * names and figures of ours, so that nothing of a person, a document or a token has a way in.
 */
export class Logger {
  constructor(private readonly pino: PinoLogger) {}

  /** Whether lines of requests are written at all: they take their time to put together. */
  get isInfoEnabled(): boolean {
    return this.pino.isLevelEnabled('info');
  }

  get isDebugEnabled(): boolean {
    return this.pino.isLevelEnabled('debug');
  }

  request(line: RequestLogEntry): void {
    const { requestId, operation, account, status, outcomes, units, uncertain, saved, ms } = line;
    const reason = line.reason === null ? {} : { reason: line.reason };
    this.pino.info(
      { requestId, operation, account, ...reason, status, outcomes, units, uncertain, saved, ms },
      'request',
    );
  }

  call({ endpoint, account, result, status, detail, milliseconds }: CallReport): void {
    this.pino.debug({ endpoint, account, result, status, detail, milliseconds }, 'registry call');
  }

  internalError(error: unknown, requestId: string | null): void {
    this.pino.error({ requestId, error: safeStack(error) }, 'a fault of our own');
  }

  /** The process cannot go on. */
  fatal(error: unknown): void {
    this.pino.fatal({ error: safeStack(error) }, 'a fault of our own: stopping');
  }

  /** Names only: the value may be a secret. */
  misspeltSetting(name: string, nearest: string): void {
    this.pino.warn({ name, nearest }, 'a variable that is no setting: is the nearest one meant?');
  }

  jwksUnavailable(): void {
    this.pino.error('the keys of JWT_JWKS_URL cannot be fetched: callers with new keys are refused');
  }

  /** The store of REPLAY_URL is there again (null), or each instance goes on alone. */
  replayStore(absence: 'unreachable' | 'timeout' | 'full' | 'refused' | null): void {
    if (absence === null) this.pino.info('the store of REPLAY_URL is there: answers are shared between instances');
    else
      this.pino.warn(
        { reason: absence },
        'the store of REPLAY_URL is away: this instance pays for itself until it is back',
      );
  }

  dataKeysBesideData(): void {
    this.pino.warn('DATA_KEYS is not set: the keys are kept in DATA_DIR, beside the data that they guard');
  }

  dataKeysMissing(marks: readonly string[]): void {
    this.pino.error(
      { marks },
      'the ledger was written with keys that DATA_KEYS does not hold: accounts and budgets of their time are not found',
    );
  }

  /** Something of ours failed in a batch; its words may quote a row. */
  batchFault(error: unknown): void {
    const { name, stack } = error instanceof Error ? error : new Error('no error');
    const place = (stack ?? '').split('\n').filter((line) => line.startsWith('    at '))[0];
    this.pino.error({ error: name, place: place?.trim() ?? null }, 'a batch failed on something of ours');
  }

  ledgerStoreUnavailable(reason: string): void {
    this.pino.error(
      { reason },
      'the store of the ledger cannot be reached: entries wait, calls that a budget bounds are not made, nor any with LEDGER=required',
    );
  }

  ledgerStoreAvailable(): void {
    this.pino.info('the store of the ledger is reached again');
  }

  /** Whom it bounds `registryBudgets` says. */
  budgetReached({ id, period, units }: BudgetNote, percent: number): void {
    this.pino.warn({ percent, budget: id, period, units }, 'a budget over time has come to this percentage');
  }

  budgetsNotRemembered(): void {
    this.pino.error(
      'budgets.json in DATA_DIR cannot be used: a start while the database is away may not know every budget',
    );
  }

  alertNotDelivered(): void {
    this.pino.error('an alert was not taken by ALERT_URL');
  }

  ledgerEntriesLost(count: number): void {
    this.pino.error({ count }, 'entries of the ledger are lost: neither the store nor the disk takes them');
  }

  stopping(signal: 'SIGTERM' | 'SIGINT'): void {
    this.pino.info({ signal }, 'stopping');
  }
}

/** Writes to standard output, or to `destination`. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime } as const;
  return new Logger(destination === undefined ? pino(options) : pino(options, destination));
}

/** Where an error came from, without its message: a message may quote what the client sent. */
export function safeStack(error: unknown): { readonly type: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const { stack = '', message } = error;
  // A message of several lines may hold one that looks like a frame.
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return { type: error.name, at: frames.slice(0, 8).map((line) => line.trim()) };
}
