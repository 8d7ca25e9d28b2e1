import type { HttpResult } from '../transport/transport';

export interface CallReport {
  readonly endpoint: string;
  readonly account: string;
  readonly result: HttpResult['kind'];
  readonly status: number | null;
  readonly detail: string | null;
  readonly milliseconds: number;
}

export function toCallReport(endpoint: string, account: string, result: HttpResult, ms: number): CallReport {
  return {
    endpoint,
    account,
    result: result.kind,
    status: result.kind === 'delivered' ? result.status : null,
    detail: result.kind === 'failed' ? result.detail : null,
    milliseconds: Math.round(ms),
  };
}
