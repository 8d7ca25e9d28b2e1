import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { RunningPadron } from '../../support/padrons/padron';
import { type HttpAnswer, send } from '../../support/requests/http';

/** Sends the probes one after the other, so that calls, log lines and prototype pollution belong to one probe. */
export async function tryProbes(padron: RunningPadron, probes: readonly Probe[]) {
  const probed: { readonly probe: string; readonly complaints: readonly string[] }[] = [];
  for (const probe of probes) {
    const logged = padron.log.length;
    padron.calls();
    const complaints = await probe.send(padron.url).then(
      (answer) => [...complaintsOf(probe, answer), ...aftermath(padron, probe, logged)],
      (error: unknown) => [`no answer: ${String(error)}`],
    );
    probed.push({ probe: probe.name, complaints });
  }
  return probed;
}

function aftermath(padron: RunningPadron, { code }: Probe, logged: number): readonly string[] {
  const faults = padron.log.slice(logged).filter((line) => line.includes('internal error'));
  // padron learns only from the service that a token is unknown.
  const calls = code === null || code === 'UNAUTHENTICATED' ? [] : padron.calls();
  return [...faults, ...calls.map((call) => `asked ${call}`), ...('polluted' in {} ? ['a polluted prototype'] : [])];
}

/** A hostile request and its expected response. */
export interface Probe {
  readonly name: string;
  readonly send: (url: string) => Promise<HttpAnswer>;
  /** Code of every error, or null if the response must have no errors. */
  readonly code: string | null;
  /** Default: 400 with a code, 200 without. */
  readonly status?: number;
  /** Text that the response must not contain. */
  readonly silentOn?: RegExp;
}

export const probe = (name: string, code: string | null, send: Probe['send'], more: Partial<Probe> = {}): Probe => ({
  name,
  code,
  send,
  ...more,
});

export const json = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };

export function posted(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Probe['send'] {
  const sent = Object.fromEntries(Object.entries({ ...json, ...headers }).filter(([, value]) => value !== ''));
  return (url) => send(url, { method: 'POST', headers: sent, body });
}

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

/** Returns complaints about a response. There are none if it is the expected error in GraphQL's format, or has no errors. */
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
    ...(/^application\/(graphql-response\+)?json/.test(type) ? [] : [`has the type ${type}`]),
    ...(leaks.test(text) ? [`shows ${leaks.exec(text)?.[0]}`] : []),
    ...(silentOn?.test(text) ? [`contains ${silentOn.exec(text)?.[0]}`] : []),
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
