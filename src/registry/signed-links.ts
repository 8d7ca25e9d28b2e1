import { type Problem, problem } from './answer/problem';
import type { RequestScope } from './client/client';
import { FairLimiter } from './client/fair-limiter';
import { Deadline } from './transport/deadline';
import { type HttpResult, Transport } from './transport/transport';

/** The bytes behind a signed link, or why they cannot be had. */
export type LinkContent = { readonly bytes: Buffer } | { readonly problem: Problem };

export interface LinkOptions {
  /** Origins that links may point to; the service's own comes first. */
  readonly origins: readonly string[];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Links that an account may be fetching at once. */
  readonly concurrency: number;
}

/** Signed links as one request reads them. */
export interface LinkReader {
  read(link: string): Promise<LinkContent>;
  /** Whether bytes that came without a link are a file of the service too. */
  recognises(bytes: Buffer): boolean;
}

const maxAttempts = 3;

/** Follows signed links: free of charge, so they may be tried again; without the token, and only to allowed origins. */
export class SignedLinkClient {
  private readonly transports = new Map<string, Transport>();

  private readonly limiter: FairLimiter;

  constructor(private readonly options: LinkOptions) {
    this.limiter = new FairLimiter(options.concurrency);
  }

  /** Returns the link reader of a request. A host that hangs only delays the account whose links lead there. */
  reader(scope: RequestScope): LinkReader {
    return { read: (link) => this.read(link, scope), recognises: isFile };
  }

  private async read(link: string, scope: RequestScope): Promise<LinkContent> {
    const address = parseLink(link);
    if (address === null || !this.options.origins.includes(address.origin))
      return { problem: problem('LINK_NOT_ALLOWED') };
    const { account } = scope.caller;
    const deadline = new Deadline(this.options.timeoutMs);
    const failure = await this.limiter.acquire(account, scope.request, deadline, scope);
    try {
      return failure === null
        ? toContent(await this.fetch(address, deadline))
        : { problem: problem('LINK_UNREACHABLE') };
    } finally {
      deadline.clear();
      if (failure === null) this.limiter.release(account);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.transports.values()].map((transport) => transport.close()));
  }

  private async fetch({ origin, path }: LinkAddress, deadline: Deadline): Promise<HttpResult> {
    const request = {
      method: 'GET',
      path,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      body: null,
      maxBytes: this.options.maxBytes,
    } as const;
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.transport(origin).send(request, deadline);
      if (!mayRecover(result) || attempt === maxAttempts || deadline.expired) return result;
    }
  }

  private transport(origin: string): Transport {
    const existing = this.transports.get(origin);
    if (existing !== undefined) return existing;
    const transport = new Transport(origin, this.options.timeoutMs);
    this.transports.set(origin, transport);
    return transport;
  }
}

/** Host and path of a link. */
interface LinkAddress {
  readonly origin: string;
  readonly path: string;
}

/** Scheme and authority, then what the signature covers, then a fragment that never travels. */
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
  return {
    origin: new URL(authority).origin,
    path: path.replace(/[^\x21-\x7e]+/gu, percentEncode),
  };
}

function percentEncode(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
}

function mayRecover(result: HttpResult): boolean {
  return result.kind === 'failed' ? result.reason === 'UNREACHABLE' : result.status >= 500;
}

function toContent(result: HttpResult): LinkContent {
  if (result.kind === 'failed') {
    return { problem: problem(result.reason === 'UNUSABLE' ? 'UNUSABLE_FILE' : 'LINK_UNREACHABLE') };
  }
  // 410 is documented; frameworks answer 403 to a signed URL whose time is over.
  if (result.status === 410 || result.status === 403) return { problem: problem('LINK_EXPIRED') };
  if (result.status >= 500 || result.status === 429) return { problem: problem('LINK_UNREACHABLE') };
  if (result.status !== 200 || !isFile(result.body)) return { problem: problem('UNUSABLE_FILE') };
  return { bytes: result.body };
}

/** Every file of the service is a PDF or XML; a proxy's page is not worth handing on as one. */
function isFile(bytes: Buffer): boolean {
  const start = bytes
    .subarray(0, 64)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return start.startsWith('%PDF-') || start.startsWith('<?xml') || /^<(?!!doctype|html)[a-z]+:/i.test(start);
}
