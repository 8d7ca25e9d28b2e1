import { type Problem, problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import type { RegistryFile } from './types';

/** A file's bytes, or why they cannot be had. */
export type Content =
  | { readonly size: number; readonly base64: () => string; readonly bytes: () => Buffer }
  | { readonly problem: Problem };

type Fetching = ReturnType<Context['links']['read']>;

/** Links that a request is fetching now. What has come is not kept: it would hold the memory that the budget bounds. */
const inFlight = new WeakMap<Context, Map<string, Fetching>>();

/** The bytes that came with the answer, or those behind its link. */
export async function loadContent(file: RegistryFile, context: Context): Promise<Content> {
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
    return { problem: problem('UNUSABLE_FILE', { message: 'The service gave neither the file nor a link to it.' }) };
  if (context.contentBudget.isUsedUp) return { problem: problem('ANSWER_TOO_LARGE') };
  const fetched = await fetchOnce(url, context);
  return 'problem' in fetched ? fetched : toContent(fetched.bytes);
}

/** Only the beginning is decoded: a large file may be asked for many times. */
function isFileContent(base64: string, { links }: Context): boolean {
  return links.recognises(Buffer.from(base64.slice(0, 128), 'base64'));
}

function toContent(bytes: Buffer): Content {
  return { size: bytes.length, base64: () => bytes.toString('base64'), bytes: () => bytes };
}

function fetchOnce(url: string, context: Context): Fetching {
  const fetches = inFlight.get(context) ?? new Map<string, Fetching>();
  inFlight.set(context, fetches);
  const existing = fetches.get(url);
  if (existing !== undefined) return existing;
  const fetch = context.links.read(url).finally(() => fetches.delete(url));
  fetches.set(url, fetch);
  return fetch;
}
