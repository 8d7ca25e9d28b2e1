import { type Problem, problem } from './answer/problem';
import type { RequestScope } from './client/client';
import { FairLimiter } from './client/fair-limiter';
import { endMissing, hasEnd, isFile } from './file-bytes';
import type { Proxies } from './transport/proxies';
import { type HttpResult, Transport } from './transport/transport';
import { explainTransfer } from './transport/unusable-transfer';

export type LinkContent = { readonly bytes: Buffer } | { readonly problem: Problem };

export interface LinkOptions {
  /** Origins that links may point to. The service's own origin comes first. */
  readonly origins: readonly string[];
  /** Milliseconds within which a download begins, and again within which it ends. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Maximum number of links that an account downloads at the same time. */
  readonly concurrency: number;
  readonly proxies: Proxies;
}

export interface LinkReader {
  read(link: string): Promise<LinkContent>;
}

const maxAttempts = 3;

/** Downloads signed links, without the token and from allowed origins only. Downloads are free, so failed ones are retried. */
export class SignedLinkClient {
  private readonly transports = new Map<string, Transport>();

  private readonly limiter: FairLimiter;

  constructor(private readonly options: LinkOptions) {
    this.limiter = new FairLimiter(options.concurrency, options.timeoutMs);
  }

  /** Returns the link reader of a request. A host that hangs only delays the account whose links lead there. */
  reader(scope: RequestScope): LinkReader {
    return { read: (link) => this.read(link, scope) };
  }

  private async read(link: string, scope: RequestScope): Promise<LinkContent> {
    const address = parseLink(link);
    if (address === null || !this.options.origins.includes(address.origin))
      return { problem: problem('LINK_NOT_ALLOWED') };
    const { account } = scope.caller;
    const sendBy = performance.now() + this.options.timeoutMs;
    const failure = await this.limiter.acquire(account, scope.request, scope);
    if (failure !== null) return { problem: problem('LINK_UNREACHABLE') };
    try {
      return toContent(await this.fetch(address, sendBy));
    } finally {
      this.limiter.release(account);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.transports.values()].map((transport) => transport.close()));
  }

  private async fetch({ origin, path }: LinkAddress, sendBy: number): Promise<HttpResult> {
    const request = {
      method: 'GET',
      path,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      body: null,
      maxBytes: this.options.maxBytes,
    } as const;
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.transport(origin).send(request);
      if (!mayRecover(result) || attempt === maxAttempts || performance.now() > sendBy) return result;
    }
  }

  private transport(origin: string): Transport {
    const existing = this.transports.get(origin);
    if (existing !== undefined) return existing;
    const transport = new Transport(origin, this.options.timeoutMs, this.options.proxies);
    this.transports.set(origin, transport);
    return transport;
  }
}

interface LinkAddress {
  readonly origin: string;
  readonly path: string;
}

/** Parts of a link: scheme and authority, the signed part, and a fragment, which is not sent. */
const webLink = /^(https?:\/\/[^/?#\\\s]+)([^#]*)(?:#.*)?$/is;

/**
 * Parses a link without changing its signed path: the URL class would rewrite parts such as `/./`, `'` and `{`. Only
 * the authority is parsed as a URL. Characters that HTTP does not allow are escaped.
 */
function parseLink(link: string): LinkAddress | null {
  const [, authority = '', target = ''] = webLink.exec(link.trim()) ?? [];
  if (!URL.canParse(authority)) return null;
  const path = target.startsWith('/') ? target : `/${target}`;
  if (path.startsWith('/\\')) return null;
  return { origin: new URL(authority).origin, path: path.replace(/[^\x21-\x7e]+/gu, percentEncode) };
}

function percentEncode(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
}

function mayRecover(result: HttpResult): boolean {
  if (result.kind === 'failed') return result.reason === 'UNREACHABLE';
  return result.status >= 500 || (result.status === 200 && isFile(result.body) && !hasEnd(result.body));
}

function unusableFile(message: string, spanish: string): Problem {
  return problem('UNUSABLE_FILE', {
    message: `The link did not return the announced file. ${message}`,
    spanish: `El enlace no entregó el archivo anunciado: ${spanish}`,
  });
}

function toContent(result: HttpResult): LinkContent {
  if (result.kind === 'failed') {
    if (result.reason !== 'UNUSABLE') return { problem: problem('LINK_UNREACHABLE') };
    const { message, spanish } = explainTransfer(result);
    return { problem: unusableFile(message, spanish) };
  }
  // 410 is documented. Frameworks answer 403 to an expired signed URL.
  if (result.status === 410 || result.status === 403) return { problem: problem('LINK_EXPIRED') };
  if (result.status >= 500 || result.status === 429) return { problem: problem('LINK_UNREACHABLE') };
  if (result.status !== 200)
    return { problem: unusableFile(`It answered HTTP ${result.status}.`, `respondió HTTP ${result.status}.`) };
  if (!isFile(result.body)) return { problem: problem('UNUSABLE_FILE') };
  return hasEnd(result.body) ? { bytes: result.body } : { problem: endMissing() };
}
