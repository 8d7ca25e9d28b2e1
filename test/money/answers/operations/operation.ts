import { randomUUID } from 'node:crypto';
import { people } from '../../../../src/extensions/sandbox/data/people';
import type { SandboxCall } from '../../../../src/extensions/sandbox/service';
import { isTokenCheck, type RunningPadron } from '../../../support/padrons/padron';
import { holdResponses } from '../../../support/proxies/held-responses';
import type { ArrivedRequest, TamperingProxy } from '../../../support/proxies/tampering-proxy';
import { askPriced, nothingSpent, type PricedAnswer, type Request } from '../../../support/requests/money';

type Headers = Readonly<Record<string, string>>;
type Padron = Pick<RunningPadron, 'url'>;

/** An operation that lasts, as its client names it. */
export interface Operation {
  readonly id: string;
  /** Headers of the request that begins it, and of later requests. */
  readonly begin: Headers;
  readonly later: Headers;
}

export function newOperation(first: Headers = {}, all: Headers = {}): Operation {
  const id = `secret-${randomUUID()}`;
  const later = { 'x-operation-id': id, ...all };
  return { id, later, begin: { ...later, 'x-operation-keep': '7d', ...first } };
}

/** People with a credit, whose question costs one unit. */
export const indebted = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);

export const creditOf = (nss: string): Request => ({
  query: `query Check($nss: NSS) { person(nss: $nss) { credit {
    outcome problems { code } evidence { servedFrom checkedAt validationCode billing } } } }`,
  variables: { nss },
});

export const creditsOf = (persons: readonly string[]): Request => ({
  query: `{ ${persons.map((nss, index) => `p${index}: person(nss: "${nss}") { credit { outcome problems { code } } }`).join(' ')} }`,
});

/** Asks for a credit, and returns the parts of the answer that a caller sees. */
export async function check(padron: Padron, nss: string, headers: Headers = {}) {
  const answer = await askPriced(padron, creditOf(nss), headers);
  const credit = answer.data?.person?.credit;
  const codes: readonly string[] = (credit?.problems ?? []).map(({ code }: { code: string }) => code);
  const { checkedAt = null, validationCode = null, servedFrom = 'NOT_SENT' } = credit?.evidence ?? {};
  const { spent, uncertain, saved } = answer.units ?? nothingSpent;
  return {
    outcome: String(credit?.outcome ?? 'REFUSED'),
    problems: [...(answer.errors ?? []).map(({ extensions }) => String(extensions.code)), ...codes],
    servedFrom: String(servedFrom),
    ...{ spent, uncertain, saved },
    proof: { checkedAt, validationCode },
    until: untilOf(answer),
  };
}

export const untilOf = ({ headers }: Pick<PricedAnswer, 'headers'>): string | null =>
  headers['x-operation-until'] === undefined ? null : String(headers['x-operation-until']);

export const paid = { outcome: 'FOUND', problems: [], servedFrom: 'LIVE', spent: 1, uncertain: 0, saved: 0 };
export const kept = { outcome: 'FOUND', problems: [], servedFrom: 'KEPT', spent: 0, uncertain: 0, saved: 1 };
export const lost = { outcome: 'UNAVAILABLE', problems: ['ANSWER_LOST'], spent: 0, uncertain: 0 };

const fields = '{ spentUnits uncertainUnits savedUnits maxUnits leftUnits until }';

/** Returns the sums that `registryOperation` shows, or null. */
export async function sumsOf(padron: Padron, { id }: Operation, headers: Headers = {}) {
  const query = `query Sums($id: ID!) { registryOperation(id: $id) ${fields} }`;
  return (await askPriced(padron, { query, variables: { id } }, headers)).data.registryOperation;
}

export async function end(padron: Padron, { id }: Operation, headers: Headers = {}) {
  const query = `mutation End($id: ID!) { endRegistryOperation(id: $id) ${fields} }`;
  return (await askPriced(padron, { query, variables: { id } }, headers)).data.endRegistryOperation;
}

/** Calls that the service received, without the free checks of a token. */
export const paidCalls = (calls: readonly SandboxCall[]): number => calls.filter((call) => !isTokenCheck(call)).length;

/** Calls that arrived at a proxy. The free check of a token is in sandbox mode. */
const isCall = ({ headers }: ArrivedRequest): boolean => headers['x-sandbox'] === undefined;
export const callsOf = ({ requests }: TamperingProxy): number => requests.filter(isCall).length;

/** Holds back the answers of calls until they are released, with the answer of the service or with another one. */
export const holdCalls = (proxy: TamperingProxy) => holdResponses(proxy, isCall);
