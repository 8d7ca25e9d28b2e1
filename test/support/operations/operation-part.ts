import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';

/** A part of a generated operation, and what it promises of money. */
export interface Part {
  readonly text: string;
  /** Each of its questions is a field's own, and everybody it asks about answers. */
  readonly direct: boolean;
  /** Whatever is bought on the way is selected too, so that the evidences show every unit. */
  readonly complete: boolean;
}

export const priced = 'outcome evidence { endpoint units servedFrom billing } problems { code }';

export const quickFailures: readonly Failure[] = [
  'not-found',
  'bad-request',
  'unprocessable',
  'unprocessable-receipts',
  'forbidden',
  'rate-limited-for-a-day',
  'server-error',
  'unavailable',
  'IMSS_SESSION_EXPIRED',
  'IMSS_INCONSISTENT_DATA',
  'IMSS_TRANSPORT_ERROR',
  'IMSS_UPSTREAM_ERROR',
  'IMSS_HTTP_ERROR',
  'IMSS_FILETYPE_ERROR',
  'html',
  'somebody-else',
];

/** Failures that are an answer: the question is never retried. */
export const definiteFailures: readonly Failure[] = [
  'not-found',
  'bad-request',
  'unprocessable',
  'IMSS_INCONSISTENT_DATA',
  'somebody-else',
];
