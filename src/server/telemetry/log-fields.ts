declare const loggable: unique symbol;
/** A name that was checked not to be an identifier. */
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

/** An action of the audit trail as the log names it. */
export interface AuditNote {
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
  /** The trace id, or null if the request belongs to no trace. */
  readonly traceId: string | null;
  readonly operation: LoggableName | null;
  /** The keyed hash of an account's token. */
  readonly account: string | null;
  /** The reason why a token was refused, or null. */
  readonly reason: TokenRefusal | null;
  /** The HTTP status, or null if the client disconnected before the response. */
  readonly status: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly units: number;
  readonly uncertain: number;
  readonly saved: number;
  readonly ms: number;
}
