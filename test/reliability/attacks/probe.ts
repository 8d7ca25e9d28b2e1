import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { type HttpAnswer, send } from '../../support/requests/http';

/** A request that means no good, and how it is to be answered. */
export interface Probe {
  readonly name: string;
  readonly send: (url: string) => Promise<HttpAnswer>;
  /** The code of every error; null where the answer is to be right. */
  readonly code: string | null;
  /** 400 for an error and 200 for an answer, unless told. */
  readonly status?: number;
  /** What the answer must not hold. */
  readonly silentOn?: RegExp;
}

export const probe = (name: string, code: string | null, send: Probe['send'], more: Partial<Probe> = {}): Probe => ({
  name,
  code,
  send,
  ...more,
});

export const json = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };

/** A body as it is, as one POST. */
export function posted(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Probe['send'] {
  const sent = Object.fromEntries(Object.entries({ ...json, ...headers }).filter(([, value]) => value !== ''));
  return (url) => send(url, { method: 'POST', headers: sent, body });
}

/** A document, as any client would send it. */
export function asked(
  query: string,
  variables: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Probe['send'] {
  return posted(JSON.stringify({ query, variables }), headers);
}

export const repeated = (times: number, write: (index: number) => string, between = ' '): string =>
  Array.from({ length: times }, (_, index) => write(index)).join(between);

const leaks =
  /<!?(doctype|html|body|pre)|\bat [^"\n]{0,200}?[\w/]\.[cm]?[jt]s:\d+:\d+|node_modules|\/src\/|\/work\/|INTERNAL_SERVER_ERROR|internal error/;

/** What is to be said against an answer: nothing, when it is a clear refusal in GraphQL's shape, or right. */
export function complaintsOf(
  { code, status = code === null ? 200 : 400, silentOn }: Probe,
  answer: HttpAnswer,
): readonly string[] {
  const { headers, text } = answer;
  const type = String(headers['content-type'] ?? '');
  const codes = codesIn(text);
  const isRight =
    code === null
      ? codes.length === 0
      : codes.length > 0 && codes.every((each) => each === code || each === 'ERRORS_OMITTED');
  return [
    ...(answer.status === status ? [] : [`status ${answer.status} instead of ${status}`]),
    ...(/^application\/(graphql-response\+)?json/.test(type) ? [] : [`comes as ${type}`]),
    ...(leaks.test(text) ? [`shows ${leaks.exec(text)?.[0]}`] : []),
    ...(silentOn?.test(text) ? [`tells ${silentOn.exec(text)?.[0]}`] : []),
    ...(isRight ? [] : [`codes ${[...new Set(codes)].join(', ') || 'none'} in ${text.slice(0, 200)}`]),
  ];
}

function codesIn(text: string): readonly unknown[] {
  try {
    const { errors = [] } = JSON.parse(text) as { errors?: readonly { extensions?: { code?: unknown } }[] };
    return errors.map(({ extensions }) => extensions?.code ?? 'no code');
  } catch {
    return ['no JSON'];
  }
}
