import type { Answer } from '../registry/answer/answer';
import type { AnyEndpoint } from '../registry/endpoint/endpoint';

const maxCodeLength = 200;
const isPlain = /^[\w-]*$/;
const addresses = new WeakMap<AnyEndpoint, string>();

/**
 * Entries are JSON from the first moment: the same text goes to the journal and to the store, and much of it is the same for all
 * entries of a request. An entry is what is known at its opening, and what became of it.
 */
export const originText = (
  account: string,
  client: string | null,
  tag: string | null,
  operation: string | null,
  requestId: string | null,
  batchId: string | null,
): string =>
  `"account":"${account}","client":${toJson(client)},"tag":${toJson(tag)},"operation":${toJson(operation)},"request":${toJson(requestId)},"batch":${toJson(batchId)}`;

const toJson = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));

/** Open at its end: what became of it follows. */
export function openingText(
  id: string,
  moment: Date,
  origin: string,
  endpoint: AnyEndpoint,
  address: string,
  price: number,
  subjects: string,
): string {
  let endpointText = addresses.get(endpoint);
  if (endpointText === undefined) {
    endpointText = `"endpoint":${JSON.stringify(address)}`;
    addresses.set(endpoint, endpointText);
  }
  return `{"id":"${id}","at":${moment.getTime()},${origin},${endpointText},"price":${price},"subjects":[${subjects}]`;
}

/** `served`: a shared answer of the sandbox mode goes on saying to its reader that it is invented; here it is no call. */
export function closingText({ outcome, evidence, problems }: Answer<unknown>, served = evidence.servedFrom): string {
  const { status, units, billing, validationCode, checkedAt } = evidence;
  const code = problems[0] === undefined ? 'null' : `"${problems[0].code}"`;
  return `,"outcome":"${outcome}","status":${status},"problem":${code},"units":${units},"billing":"${billing}","served":"${served}","code":${codeText(validationCode)},"checked":${checkedAt?.getTime() ?? null}}`;
}

/** Of a call whose process ended before its answer came: it may have been charged. */
export function unansweredText(price: number): string {
  const billing = price > 0 ? 'UNKNOWN' : 'NOT_CHARGED';
  return `,"outcome":"UNAVAILABLE","status":null,"problem":null,"units":0,"billing":"${billing}","served":"LIVE","code":null,"checked":null}`;
}

/** The service's own text: what no database takes is left out. */
function codeText(code: string | null): string {
  if (code === null) return 'null';
  if (code.length <= maxCodeLength && isPlain.test(code)) return `"${code}"`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  return JSON.stringify(code.slice(0, maxCodeLength).replace(/[\u0000-\u001f\ud800-\udfff]/g, ''));
}
