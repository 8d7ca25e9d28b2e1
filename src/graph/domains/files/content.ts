import { type Problem, problem } from '../../../registry/answer/problem';
import { endMissing, hasEnd, isFile } from '../../../registry/file-bytes';
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
  const { url } = file;
  const inline = readInline(file);
  if (inline !== null && (url === null || !('problem' in inline))) return inline;
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

/** Contents in answers, so that a file that is selected several times is decoded once. */
const inlineContents = new WeakMap<RegistryFile, Content>();

/** Returns the bytes in the answer, or why they are not complete. Returns null if there is no file in it. */
function readInline(file: RegistryFile): Content | null {
  const { inlineContent } = file;
  if (inlineContent === null) return null;
  if (Buffer.isBuffer(inlineContent))
    return hasEnd(inlineContent) ? toContent(inlineContent) : { problem: endMissing() };
  // Only the beginning is decoded to recognize a file.
  if (!isFile(Buffer.from(inlineContent.slice(0, 128), 'base64'))) return null;
  const existing = inlineContents.get(file);
  if (existing !== undefined) return existing;
  const bytes = Buffer.from(inlineContent, 'base64');
  const whole = { size: bytes.length, base64: () => inlineContent, bytes: () => Buffer.from(inlineContent, 'base64') };
  const content = hasEnd(bytes) ? whole : { problem: endMissing() };
  inlineContents.set(file, content);
  return content;
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
