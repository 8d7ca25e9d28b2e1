import { type Problem, problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import type { RegistryFile } from './types';

/** A file's bytes, or why they cannot be had. */
export type Content =
  | { readonly size: number; readonly base64: () => string; readonly bytes: () => Buffer }
  | { readonly problem: Problem };

type Fetching = ReturnType<Context['links']['read']>;

/** Bytes that a request keeps of what it has fetched, for fields that ask in a later turn. More would hold the memory that the budget bounds. */
const maxKeptBytes = 1_000_000;

/** Links that a request is fetching, or has fetched and kept. */
interface Fetches {
  readonly byUrl: Map<string, Fetching>;
  keptBytes: number;
}

/** By the budget, which all fields of a request share: contexts differ by field. */
const fetchesOf = new WeakMap<Context['contentBudget'], Fetches>();

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
    return {
      problem: problem('UNUSABLE_FILE', {
        message: 'The service gave neither the file nor an http(s) link to it.',
        spanish: 'El servicio no entregó ni el archivo ni un enlace http(s) hacia él.',
      }),
    };
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

function fetchOnce(url: string, { links, contentBudget }: Context): Fetching {
  const fetches = fetchesOf.get(contentBudget) ?? { byUrl: new Map<string, Fetching>(), keptBytes: 0 };
  fetchesOf.set(contentBudget, fetches);
  const existing = fetches.byUrl.get(url);
  if (existing !== undefined) return existing;
  const fetch = fetchAndKeep(url, links, fetches);
  fetches.byUrl.set(url, fetch);
  return fetch;
}

async function fetchAndKeep(url: string, links: Context['links'], fetches: Fetches): Fetching {
  const fetched = await links.read(url);
  const bytes = 'problem' in fetched ? 0 : fetched.bytes.length;
  if (fetches.keptBytes + bytes > maxKeptBytes) fetches.byUrl.delete(url);
  else fetches.keptBytes += bytes;
  return fetched;
}
