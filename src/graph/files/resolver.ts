import { setImmediate as afterAllPromises } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type Problem, problem } from '../../registry/problem';
import type { Context } from '../context';
import { RegistryProblem } from '../lookup/types';
import { Base64 } from '../scalars/scalars';
import { RegistryFile } from './types';

/** A file's bytes, or why they cannot be had. */
type Content = { readonly size: number; readonly base64: () => string } | { readonly problem: Problem };

type Fetching = ReturnType<Context['links']['read']>;

/** Links that a request is fetching now. What has come is not kept: it would hold the memory that the allowance bounds. */
const underWay = new WeakMap<Context, Map<string, Fetching>>();

/** Places of a response where a copy of the file found no room. */
const crowded = new WeakSet<object>();

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
    const content = await contentOf(file, context);
    if ('problem' in content) return null;
    if (takeRoom(context, content.size)) return content.base64();
    crowded.add(placeOf(info));
    return null;
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
    const content = await contentOf(file, context);
    if ('problem' in content) return content.problem;
    // By then every `content` beside this field has asked for room.
    await afterAllPromises();
    return crowded.has(placeOf(info)) ? problem('ANSWER_TOO_LARGE') : null;
  }
}

async function contentOf(file: RegistryFile, context: Context): Promise<Content> {
  const { carried, url } = file;
  if (Buffer.isBuffer(carried)) return ofBytes(carried);
  if (carried !== null && beginsAsFile(carried, context)) {
    return { size: Buffer.byteLength(carried, 'base64'), base64: () => carried };
  }
  if (url === null)
    return { problem: problem('UNUSABLE_FILE', { message: 'The service gave neither the file nor a link to it.' }) };
  if (context.fileAllowance.bytes <= 0) return { problem: problem('ANSWER_TOO_LARGE') };
  const fetched = await fetchOnce(url, context);
  return 'problem' in fetched ? fetched : ofBytes(fetched.bytes);
}

/** Only the beginning is decoded: a large file may be asked for many times. */
function beginsAsFile(base64: string, { links }: Context): boolean {
  return links.recognises(Buffer.from(base64.slice(0, 128), 'base64'));
}

function ofBytes(bytes: Buffer): Content {
  return { size: bytes.length, base64: () => bytes.toString('base64') };
}

function fetchOnce(url: string, context: Context): Fetching {
  const fetches = underWay.get(context) ?? new Map<string, Fetching>();
  underWay.set(context, fetches);
  const known = fetches.get(url);
  if (known !== undefined) return known;
  const fetch = context.links.read(url).finally(() => fetches.delete(url));
  fetches.set(url, fetch);
  return fetch;
}

/** What a response may hold is shared by its files, each copy counted: first come, first served. */
function takeRoom({ fileAllowance }: Context, bytes: number): boolean {
  if (bytes > fileAllowance.bytes) return false;
  fileAllowance.bytes -= bytes;
  return true;
}

/** The object that a field belongs to in the response: graphql-js hands the fields beside each other the same path. */
function placeOf({ path }: GraphQLResolveInfo): object {
  return path.prev ?? path;
}
