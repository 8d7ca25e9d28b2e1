declare const loggable: unique symbol;
/** A name that cannot be an identifier. */
export type LoggableName = string & { readonly [loggable]: true };

/** Returns a name, or null if it may be an identifier: it is too long or has too many digits. A caller may name an operation after a CURP. */
export function toLoggableName(name: string | null): LoggableName | null {
  return name !== null && name.length <= 64 && name.replace(/\D/g, '').length < 4 ? (name as LoggableName) : null;
}

/** The reason why a JWT was rejected. Only the log has it, so that callers cannot use it to forge tokens. */
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

/** Fields of an operation in the log that is not a trusted document. */
export interface UntrustedOperationFields {
  readonly requestId: string;
  readonly operation: LoggableName | null;
  readonly action: 'rejected' | 'logged';
}

/** Fields of a budget in the log. */
export interface BudgetFields {
  readonly id: string;
  readonly period: string;
  readonly units: number;
}

/** Fields of an audited action in the log. */
export interface AuditFields {
  readonly id: string;
  readonly requestId: string;
  readonly action: string;
  readonly outcome: string;
  readonly client: string | null;
  readonly scope: string | null;
}

/** The log line of one request. */
export interface RequestLogEntry {
  readonly requestId: string;
  /** Trace ID, or null if the request belongs to no trace. */
  readonly traceId: string | null;
  readonly operation: LoggableName | null;
  /** Keyed hash of the account's token. */
  readonly account: string | null;
  /** Client that `x-client-name` or the JWT names, or null. */
  readonly client: LoggableName | null;
  /** Reason why the JWT was rejected, or null. */
  readonly reason: TokenRejection | null;
  /** HTTP status, or null if the client disconnected before the response. */
  readonly status: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly units: number;
  readonly uncertain: number;
  readonly saved: number;
  readonly ms: number;
}
