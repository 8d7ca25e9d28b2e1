import type { Exchange } from './transport';

/** What may be said aloud of one call. */
export interface CallReport {
  readonly endpoint: string;
  readonly account: string;
  readonly result: Exchange['kind'];
  readonly status: number | null;
  readonly detail: string | null;
  readonly milliseconds: number;
}

export function toCallReport(endpoint: string, account: string, exchange: Exchange, ms: number): CallReport {
  return {
    endpoint,
    account,
    result: exchange.kind,
    status: exchange.kind === 'delivered' ? exchange.status : null,
    detail: exchange.kind === 'failed' ? exchange.detail : null,
    milliseconds: Math.round(ms),
  };
}
