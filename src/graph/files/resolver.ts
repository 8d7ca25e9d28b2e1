import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type Problem, problem } from '../../registry/problem';
import type { Context } from '../context';
import { RegistryProblem } from '../lookup';
import { Base64 } from '../scalars/scalars';
import { RegistryFile } from './types';

interface Content {
  readonly base64: string | null;
  readonly problem: Problem | null;
}

/** One fetch for `content` and `contentProblem` of the same file. */
const underWay = new WeakMap<RegistryFile, Promise<Content>>();

@Resolver(() => RegistryFile)
export class FileResolver {
  @FieldResolver(() => Base64, {
    nullable: true,
    description:
      'The bytes. Fetched through the link when the answer did not carry them; the link itself costs nothing. Null when they cannot be had.',
  })
  async content(@Root() file: RegistryFile, @Ctx() context: Context): Promise<string | null> {
    return (await contentOf(file, context)).base64;
  }

  @FieldResolver(() => RegistryProblem, {
    nullable: true,
    description:
      'Why `content` is null: LINK_EXPIRED, LINK_UNREACHABLE, LINK_NOT_ALLOWED, UNUSABLE_FILE or ANSWER_TOO_LARGE.',
  })
  async contentProblem(@Root() file: RegistryFile, @Ctx() context: Context): Promise<Problem | null> {
    return (await contentOf(file, context)).problem;
  }
}

function contentOf(file: RegistryFile, context: Context): Promise<Content> {
  const known = underWay.get(file);
  if (known !== undefined) return known;
  const content = readContent(file, context);
  underWay.set(file, content);
  return content;
}

async function readContent(file: RegistryFile, context: Context): Promise<Content> {
  const { carried } = file;
  if (typeof carried === 'string') return withinAllowance(context, Buffer.byteLength(carried, 'base64'), () => carried);
  if (carried !== null) return withinAllowance(context, carried.length, () => carried.toString('base64'));
  if (file.url === null)
    return {
      base64: null,
      problem: problem('UNUSABLE_FILE', { message: 'The service gave neither the bytes nor a link.' }),
    };
  if (context.fileAllowance.bytes <= 0) return { base64: null, problem: problem('ANSWER_TOO_LARGE') };
  const content = await context.links.read(file.url);
  if ('problem' in content) return { base64: null, problem: content.problem };
  return withinAllowance(context, content.bytes.length, () => content.bytes.toString('base64'));
}

/** What a response may hold is shared by its files: first come, first served. */
function withinAllowance({ fileAllowance }: Context, bytes: number, base64: () => string): Content {
  if (bytes > fileAllowance.bytes) return { base64: null, problem: problem('ANSWER_TOO_LARGE') };
  fileAllowance.bytes -= bytes;
  return { base64: base64(), problem: null };
}
