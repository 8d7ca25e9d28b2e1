import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import { RegistryProblem } from '../lookup/types';
import { Base64 } from '../scalars/scalars';
import { RegistryFile } from './types';

/** A file's bytes, or why they cannot be had. */
type Content = { readonly size: number; readonly base64: () => string } | { readonly problem: Problem };

type Fetching = ReturnType<Context['links']['read']>;

/** Bytes that a request keeps of what it has fetched, for fields that ask in a later turn. More would hold the memory that the budget bounds. */
const maxKeptBytes = 1_000_000;

/** Links that a request is fetching, or has fetched and kept. */
interface Fetches {
  readonly byUrl: Map<string, Fetching>;
  keptBytes: number;
}

const fetchesOf = new WeakMap<Context, Fetches>();

@Resolver(() => RegistryFile)
export class FileResolver {
  @FieldResolver(() => Base64, {
    nullable: true,
    description:
      'The bytes. Fetched through the link when the answer did not carry them; the link itself costs nothing. Null when they cannot be had.',
  })
  async content(
    @Root() file: RegistryFile,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<string | null> {
    const content = await loadContent(file, context);
    if ('problem' in content) return null;
    return context.contentBudget.reserve(parentPath(info), content.size) ? content.base64() : null;
  }

  @FieldResolver(() => RegistryProblem, {
    nullable: true,
    description:
      'Why `content` is null: LINK_EXPIRED, LINK_UNREACHABLE, LINK_NOT_ALLOWED, UNUSABLE_FILE or ANSWER_TOO_LARGE.',
  })
  async contentProblem(
    @Root() file: RegistryFile,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Problem | null> {
    const content = await loadContent(file, context);
    if ('problem' in content) return content.problem;
    // By then every `content` beside this field has asked for its bytes.
    await yieldToEventLoop();
    return context.contentBudget.isExceededAt(parentPath(info)) ? problem('ANSWER_TOO_LARGE') : null;
  }
}

async function loadContent(file: RegistryFile, context: Context): Promise<Content> {
  const { inlineContent, url } = file;
  if (Buffer.isBuffer(inlineContent)) return toContent(inlineContent);
  if (inlineContent !== null && isFileContent(inlineContent, context)) {
    return { size: Buffer.byteLength(inlineContent, 'base64'), base64: () => inlineContent };
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
  return { size: bytes.length, base64: () => bytes.toString('base64') };
}

function fetchOnce(url: string, context: Context): Fetching {
  const fetches = fetchesOf.get(context) ?? { byUrl: new Map<string, Fetching>(), keptBytes: 0 };
  fetchesOf.set(context, fetches);
  const existing = fetches.byUrl.get(url);
  if (existing !== undefined) return existing;
  const fetch = fetchAndKeep(url, context, fetches);
  fetches.byUrl.set(url, fetch);
  return fetch;
}

async function fetchAndKeep(url: string, { links }: Context, fetches: Fetches): Fetching {
  const fetched = await links.read(url);
  const bytes = 'problem' in fetched ? 0 : fetched.bytes.length;
  if (fetches.keptBytes + bytes > maxKeptBytes) fetches.byUrl.delete(url);
  else fetches.keptBytes += bytes;
  return fetched;
}

/** The place in the response of the object that a field belongs to. */
function parentPath({ path }: GraphQLResolveInfo): string {
  const keys: (string | number)[] = [];
  for (let above = path.prev; above !== undefined; above = above.prev) keys.push(above.key);
  return keys.join('.');
}
