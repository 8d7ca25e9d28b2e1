import type { HttpResult } from '../transport/transport';

/** What came of one call, before anybody judged it: judged anew, it gives the same answer. */
export interface Exchange {
  readonly result: HttpResult;
  readonly checkedAt: Date;
}

/** The headers that an answer is judged by. */
const judgedHeaders = ['content-type', 'content-disposition', 'retry-after'];

/** A line of JSON, then the body as it came. */
export function encodeExchange({ result, checkedAt }: Exchange): Buffer {
  const time = checkedAt.toISOString();
  if (result.kind === 'failed') return Buffer.from(`${JSON.stringify({ checkedAt: time, ...result })}\n`);
  const headers = Object.fromEntries(judgedHeaders.map((name) => [name, result.headers[name]]));
  const head = JSON.stringify({ checkedAt: time, kind: result.kind, status: result.status, headers });
  return Buffer.concat([Buffer.from(`${head}\n`), result.body]);
}

export function decodeExchange(bytes: Buffer): Exchange {
  const end = bytes.indexOf('\n');
  const { checkedAt, ...result } = JSON.parse(bytes.toString('utf8', 0, end));
  if (result.kind === 'delivered') result.body = bytes.subarray(end + 1);
  return { result, checkedAt: new Date(checkedAt) };
}
