import { z } from 'zod';
import { parseJson } from '../identifiers/json-value';
import type { Language } from '../identifiers/text';
import { graphTexts } from './graph-texts';
import { toVisible } from './terminal-text';

const graphqlError = z.object({ message: z.string(), extensions: z.object({ code: z.string().nullish() }).nullish() });
const responseShape = z.object({ data: z.unknown().optional(), errors: z.array(graphqlError).nullish() });

export class RequestFailedError extends Error {}

/** padron or a proxy before it is unavailable, perhaps only while it restarts. */
export class UnavailableError extends RequestFailedError {}

/** Statuses of a server that stops or is overloaded, and of a proxy whose server is unavailable. */
const unavailableStatuses = [502, 503, 504];

export class GraphClient {
  private readonly graphTexts: typeof graphTexts.english;
  private answered = false;

  constructor(
    private readonly url: string,
    private readonly token: string | null,
    protected readonly language: Language | null = null,
  ) {
    this.graphTexts = language === 'es' ? graphTexts.spanish : graphTexts.english;
  }

  /** Sends an operation. Returns its data, which must have the shape, or throws its first error. */
  async ask<Data>(query: string, variables: object, shape: z.ZodType<Data>): Promise<Data> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...this.languageHeader(),
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
    const body = JSON.stringify({ query, variables });
    const response = await this.reach(this.url, { method: 'POST', headers, body });
    const { data, errors } = await this.read(response, responseShape);
    const [error] = errors ?? [];
    if (error !== undefined) {
      throw toError(response, this.graphTexts.rejected(error.message, error.extensions?.code ?? ''));
    }
    return this.check(response, data, shape);
  }

  /** Whether padron has answered a request. If not, the address may be wrong. */
  get hasAnswered(): boolean {
    return this.answered;
  }

  protected languageHeader(): Readonly<Record<string, string>> {
    return this.language === null ? {} : { 'accept-language': this.language };
  }

  protected async read<Body>(response: Response, shape: z.ZodType<Body>): Promise<Body> {
    const text = await response.text().catch((error: unknown) => this.throwUnavailable(response.url, error));
    return this.check(response, parseJson(text), shape);
  }

  private check<Body>(response: Response, body: unknown, shape: z.ZodType<Body>): Body {
    const { success, data } = shape.safeParse(body);
    if (success) return data;
    if (isUnavailable(response)) return this.throwUnavailable(response.url, null, `HTTP ${response.status}`);
    throw new RequestFailedError(this.graphTexts.notAGraph(response.status));
  }

  protected async rejection(response: Response, prefix = ''): Promise<RequestFailedError> {
    const { errors } = await this.read(response, responseShape);
    return toError(response, errors?.[0]?.message ?? `HTTP ${response.status}`, prefix);
  }

  protected async reach(url: string, request: RequestInit): Promise<Response> {
    const response = await fetch(url, request).catch((error: unknown) => this.throwUnavailable(url, error));
    this.answered ||= !isUnavailable(response);
    return response;
  }

  private throwUnavailable(url: string, error: unknown, reason?: string): never {
    const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: string } };
    const { origin } = new URL(url);
    throw new UnavailableError(this.graphTexts.unreachable(origin, reason ?? cause?.code ?? this.graphTexts.noAnswer));
  }
}

const isUnavailable = ({ status: code }: Response): boolean => unavailableStatuses.includes(code);

const toError = (response: Response, message: string, prefix = ''): RequestFailedError =>
  new (isUnavailable(response) ? UnavailableError : RequestFailedError)(prefix + toVisible(message));
