import type { Language } from '../../text/text';
import { spanishMessages } from './spanish-messages';

interface ProblemFacts {
  readonly message: string;
  readonly retryable: boolean;
}

export const problemCodes = {
  INVALID_FORMAT: { message: 'The input does not have the format of its kind.', retryable: false },
  WRONG_CHECK_DIGIT: { message: 'The check digit does not fit the rest of the identifier.', retryable: false },
  OUT_OF_RANGE: { message: 'The input is outside the allowed range.', retryable: false },
  REJECTED_BY_REGISTRY: { message: 'The registry service refused the input.', retryable: false },
  MISSING_IDENTIFIER: { message: 'An identifier that this question needs was not given.', retryable: false },
  MISSING_PERMISSION: { message: 'The account lacks the permission for this endpoint.', retryable: false },
  TOKEN_REFUSED: {
    message: 'The token held by this server was refused. Its operator must renew it.',
    retryable: false,
  },
  INSUFFICIENT_UNITS: { message: 'The account has no units left.', retryable: false },
  UNIT_BUDGET_EXCEEDED: { message: 'The unit budget of this request is used up.', retryable: false },
  PURPOSE_MISSING: { message: 'This costs units, and names no purpose. No call was made.', retryable: false },
  BUDGET_EXHAUSTED: { message: 'No call was made: the unit budget of this day or month is used up.', retryable: true },
  KEEP_QUOTA_EXCEEDED: {
    message:
      'No call was made: the operations of this account keep as many bytes as they may. End operations that you no longer need, or ask the operator to raise KEEP_ACCOUNT_BYTES.',
    retryable: false,
  },
  LEDGER_UNAVAILABLE: {
    message:
      'No call was made: the ledger is unavailable, and this call needs it for its entry or for a budget that limits it.',
    retryable: true,
  },
  SANDBOX_UNSUPPORTED: {
    message: 'No call was made: the service offers its sandbox mode under /api only, and this endpoint might charge.',
    retryable: false,
  },
  ANSWER_MISMATCH: {
    message: 'The answer is for a different identifier than the one you asked about. Do not rely on it.',
    retryable: false,
  },
  IDENTITY_CONFLICT: {
    message: 'The answer contradicts the identifiers or the name that you gave. Do not rely on it.',
    retryable: false,
  },
  NO_RECORD_MATCHES: {
    message: 'The registry returned records, but none of this person or employer.',
    retryable: false,
  },
  EMPLOYER_UNKNOWN: {
    message: 'The service has no record of this registration. The employer may be unknown to it.',
    retryable: false,
  },
  IMSS_INCONSISTENT_DATA: { message: 'Folio, period and employer registration do not match.', retryable: false },
  IMSS_SESSION_REQUIRED: { message: 'The account has no session with the social security portal.', retryable: false },
  IMSS_SESSION_EXPIRED: { message: 'The session with the social security portal has expired.', retryable: false },
  IMSS_TRANSPORT_ERROR: { message: 'The service could not reach the social security portal.', retryable: true },
  IMSS_UPSTREAM_ERROR: { message: 'The social security portal failed while processing.', retryable: true },
  IMSS_HTTP_ERROR: { message: 'The social security portal answered with an error.', retryable: true },
  IMSS_FILETYPE_ERROR: {
    message: 'The social security portal returned a file that is neither PDF nor XML.',
    retryable: true,
  },
  RATE_LIMITED: { message: 'The service limits how often this account may call it.', retryable: true },
  REGISTRY_ERROR: { message: 'The registry service failed.', retryable: true },
  REGISTRY_DECLINED: { message: 'The registry service declined the request.', retryable: false },
  REGISTRY_UNREACHABLE: {
    message: 'The registry service could not be reached, or the connection broke.',
    retryable: true,
  },
  REGISTRY_TIMEOUT: { message: 'The registry service did not answer in time.', retryable: true },
  STILL_RUNNING: {
    message:
      'The registry has not answered yet, and the call continues. Send the same operation again to get the answer. It is charged once.',
    retryable: true,
  },
  REGISTRY_PAUSED: {
    message: 'No call was made: this registry keeps failing and is paused for a moment.',
    retryable: true,
  },
  TOO_MANY_CALLS: {
    message: 'No call was made: too many calls of this account were waiting for their turn.',
    retryable: true,
  },
  UNUSABLE_ANSWER: { message: 'The service answered with something other than what it documents.', retryable: true },
  ANSWER_LOST: {
    message: 'The call was sent, but the process ended before it stored the answer. It may have been charged.',
    retryable: false,
  },
  NOT_IN_BATCH: { message: 'The service does not allow this endpoint in batch processing.', retryable: false },
  BATCH_NOT_FOUND: { message: 'This account has no such batch.', retryable: false },
  BATCH_STATE: { message: 'The state of the batch does not allow this.', retryable: false },
  BATCH_QUOTA_EXCEEDED: {
    message: 'This would exceed a quota of batches. Erase batches that you no longer need.',
    retryable: false,
  },
  CALLER_GONE: { message: 'No call was made: the caller closed the request.', retryable: true },
  LINK_EXPIRED: { message: 'The signed link has expired. Request the document again.', retryable: false },
  LINK_UNREACHABLE: { message: 'The signed link could not be fetched.', retryable: true },
  LINK_NOT_ALLOWED: {
    message: 'The signed link points to a host that this server does not fetch from.',
    retryable: false,
  },
  UNUSABLE_FILE: { message: 'The link returned something other than the announced file.', retryable: true },
  ANSWER_TOO_LARGE: {
    message: 'The files of this response exceed its limit. Request fewer at once, or download them through `url`.',
    retryable: false,
  },
  OPINION_UNREADABLE: {
    message:
      'The result of the opinion cannot be determined: its wording is unknown, or contradicts itself. Read `document`.',
    retryable: false,
  },
  CFDI_UNREADABLE: {
    message: 'The file is not a CFDI 4.0 or 3.3 that padron can read with certainty. Read `content`.',
    retryable: false,
  },
  CFDI_MISMATCH: {
    message: 'The CFDI contradicts the receipt that it belongs to. Do not rely on it.',
    retryable: false,
  },
  FILE_MISSING: { message: 'Give the file either as `upload` or as `base64`, exactly one.', retryable: false },
  FILE_TOO_LARGE: { message: 'The file is larger than 60,000 bytes.', retryable: false },
  FILE_INCOMPLETE: { message: 'The upload ended before the file was complete.', retryable: true },
  CERTIFICATE_UNREADABLE: { message: 'The certificate cannot be read.', retryable: false },
  CERTIFICATE_EXPIRED: { message: 'The certificate has expired.', retryable: false },
  CERTIFICATE_NOT_YET_VALID: { message: 'The certificate is not valid yet.', retryable: false },
  KEY_UNREADABLE: { message: 'The private key cannot be read.', retryable: false },
  KEY_NOT_ENCRYPTED: { message: 'The private key is not encrypted. An e.firma key always is.', retryable: false },
  KEY_MISMATCH: { message: 'The private key does not belong to the certificate.', retryable: false },
  WRONG_PASSWORD: { message: 'The password does not open the private key.', retryable: false },
  RFC_MISMATCH: { message: 'The certificate belongs to another RFC than the one given.', retryable: false },
  NOT_EFIRMA: { message: 'The certificate is a digital seal (CSD), not an e.firma.', retryable: false },
  UNSUPPORTED_CIPHER: {
    message: 'The key uses an old cipher that padron cannot check. The service decided.',
    retryable: false,
  },
  UNKNOWN_ISSUER: {
    message: 'padron does not know the issuer of the certificate. The service decided.',
    retryable: false,
  },
} as const satisfies Readonly<Record<string, ProblemFacts>>;

export type ProblemCode = keyof typeof problemCodes;

/** Whether a text is a problem code. A newer version may have stored another one. */
export const isProblemCode = (code: string | null): code is ProblemCode =>
  code !== null && Object.hasOwn(problemCodes, code);

const spanishByCode: Readonly<Record<ProblemCode, string>> = spanishMessages;

export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** The message in Spanish. Omitted if the message is the service's own. */
  readonly spanish?: string;
  readonly path: readonly string[] | null;
  readonly retryable: boolean;
  readonly retryAfter: number | null;
  /** ID of the budget that refused the call. */
  readonly budget?: string;
}

interface ProblemDetails {
  readonly message?: string;
  /** The message in Spanish. Omitted if the message is the service's own. */
  readonly spanish?: string;
  readonly path?: readonly string[];
  readonly retryAfter?: number | null;
  readonly budget?: string;
}

export function problem(code: ProblemCode, details: ProblemDetails = {}): Problem {
  const facts = problemCodes[code];
  const spanish = details.message === undefined ? spanishByCode[code] : details.spanish;
  return {
    code,
    message: details.message ?? facts.message,
    ...(spanish === undefined ? {} : { spanish }),
    path: details.path ?? null,
    retryable: facts.retryable,
    retryAfter: details.retryAfter ?? null,
    ...(details.budget === undefined ? {} : { budget: details.budget }),
  };
}

export function inLanguage<Reported extends Pick<Problem, 'message' | 'spanish'>>(
  { spanish, ...reported }: Reported,
  language: Language,
): Omit<Reported, 'spanish'> {
  return spanish === undefined || language === 'en' ? reported : { ...reported, message: spanish };
}

/** Whether a text is a code of the portal, which padron passes on unchanged. */
export function isPortalCode(code: string): code is ProblemCode & `IMSS_${string}` {
  return code.startsWith('IMSS_') && Object.hasOwn(problemCodes, code);
}
