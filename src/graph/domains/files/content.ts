import { type Problem, problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import { domainCodes } from '../codes';
import type { RegistryFile } from './types';

export type Content =
  | { readonly size: number; readonly base64: () => string; readonly bytes: () => Buffer }
  | { readonly problem: Problem };

type Fetching = ReturnType<LookupContext['links']['read']>;

/** Maximum bytes of fetched files that a request caches for fields resolved later. The content budget does not count them. */
const maxCachedBytes = 1_000_000;

interface Fetches {
  readonly byUrl: Map<string, Fetching>;
  cachedBytes: number;
}

/** Fetched files of each request. The key is its content budget, because each field has its own context object. */
const fetchesOf = new WeakMap<LookupContext['contentBudget'], Fetches>();

export async function loadContent(file: RegistryFile, context: LookupContext): Promise<Content> {
  const { inlineContent, url } = file;
  if (Buffer.isBuffer(inlineContent)) return toContent(inlineContent);
  if (inlineContent !== null && isFileContent(inlineContent, context)) {
    return {
      size: Buffer.byteLength(inlineContent, 'base64'),
      base64: () => inlineContent,
      bytes: () => Buffer.from(inlineContent, 'base64'),
    };
  }
  if (url === null)
    return {
      problem: problem('UNUSABLE_FILE', {
        message: 'The service returned neither the file nor an http(s) link to it.',
        spanish: 'El servicio no entregó ni el archivo ni un enlace http(s) hacia él.',
      }),
    };
  if (context.contentBudget.isUsedUp) return { problem: problem(domainCodes.ANSWER_TOO_LARGE) };
  const fetched = await fetchOnce(url, context);
  return 'problem' in fetched ? fetched : toContent(fetched.bytes);
}

/** Whether a text is the base64 of a supported file type. Decodes only its beginning. */
function isFileContent(base64: string, { links }: LookupContext): boolean {
  return links.recognises(Buffer.from(base64.slice(0, 128), 'base64'));
}

function toContent(bytes: Buffer): Content {
  return { size: bytes.length, base64: () => bytes.toString('base64'), bytes: () => bytes };
}

function fetchOnce(url: string, { links, contentBudget }: LookupContext): Fetching {
  const fetches = fetchesOf.get(contentBudget) ?? { byUrl: new Map<string, Fetching>(), cachedBytes: 0 };
  fetchesOf.set(contentBudget, fetches);
  const existing = fetches.byUrl.get(url);
  if (existing !== undefined) return existing;
  const fetch = fetchAndCache(url, links, fetches);
  fetches.byUrl.set(url, fetch);
  return fetch;
}

async function fetchAndCache(url: string, links: LookupContext['links'], fetches: Fetches): Fetching {
  const fetched = await links.read(url);
  const bytes = 'problem' in fetched ? 0 : fetched.bytes.length;
  if (fetches.cachedBytes + bytes > maxCachedBytes) fetches.byUrl.delete(url);
  else fetches.cachedBytes += bytes;
  return fetched;
}
