import type { HttpResult, ResponseHeaders } from '../transport/transport';

/** An exchange with the service before its interpretation. Another instance or a newer release interprets it again. */
export interface Exchange {
  readonly result: HttpResult;
  readonly checkedAt: Date;
}

/** Headers that the interpretation of an answer needs. The others are not kept. */
const keptHeaders = ['content-type', 'content-disposition', 'retry-after', 'x-ratelimit-remaining'] as const;

/** Encodes an exchange as bytes: the length of its head, the head as JSON, and the unchanged body. */
export function encodeExchange({ result, checkedAt }: Exchange): Buffer {
  const body = result.kind === 'delivered' ? result.body : Buffer.alloc(0);
  const head = Buffer.from(JSON.stringify({ checkedAt: checkedAt.getTime(), ...headOf(result) }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}

/** Decodes an exchange. Returns null if the bytes are not an exchange of this release. */
export function decodeExchange(bytes: Buffer): Exchange | null {
  if (bytes.length < 4) return null;
  const headEnd = 4 + bytes.readUInt32BE();
  try {
    const { checkedAt, ...head } = JSON.parse(bytes.toString('utf8', 4, headEnd)) as Head & { checkedAt: number };
    const result = head.kind === 'failed' ? head : { ...head, body: Buffer.from(bytes.subarray(headEnd)) };
    return result.kind === 'failed' || result.kind === 'delivered' ? { result, checkedAt: new Date(checkedAt) } : null;
  } catch {
    return null;
  }
}

type Head = Extract<HttpResult, { kind: 'failed' }> | Omit<Extract<HttpResult, { kind: 'delivered' }>, 'body'>;

function headOf(result: HttpResult): Head {
  if (result.kind === 'failed') return result;
  return { kind: 'delivered', status: result.status, headers: pickHeaders(result.headers) };
}

function pickHeaders(headers: ResponseHeaders): ResponseHeaders {
  const kept: Record<string, string | readonly string[]> = {};
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
