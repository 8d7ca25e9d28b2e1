import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import { RegistryProblem } from '../../core/lookup/types';
import { Base64 } from '../../core/scalars/scalars';
import { domainCodes } from '../codes';
import { loadContent } from './content';
import { RegistryFile } from './types';

@Resolver(() => RegistryFile)
export class FileResolver {
  @FieldResolver(() => Base64, {
    nullable: true,
    description:
      'The bytes. If the answer does not contain them, padron downloads them through the link, free of charge. Null if they are not available: see `contentProblem`.',
  })
  async content(
    @Root() file: RegistryFile,
    @Ctx() context: LookupContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<string | null> {
    const content = await loadContent(file, context);
    if ('problem' in content) return null;
    return context.contentBudget.reserve(parentPath(info), content.size) ? content.base64() : null;
  }

  @FieldResolver(() => RegistryProblem, {
    nullable: true,
    description:
      'Why `content` is null: LINK_EXPIRED, LINK_UNREACHABLE, LINK_NOT_ALLOWED, UNUSABLE_FILE or ANSWER_TOO_LARGE. FILE_SIZE_DIFFERS: there is a `content`, which is complete, but its size is not `sizeBytes`.',
  })
  async contentProblem(
    @Root() file: RegistryFile,
    @Ctx() context: LookupContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Problem | null> {
    const content = await loadContent(file, context);
    if ('problem' in content) return content.problem;
    // Lets the `content` fields of the same object reserve their bytes first.
    await yieldToEventLoop();
    if (context.contentBudget.isExceededAt(parentPath(info))) return problem(domainCodes.ANSWER_TOO_LARGE);
    return (file.sizeBytes ?? content.size) === content.size ? null : problem(domainCodes.FILE_SIZE_DIFFERS);
  }
}

function parentPath({ path }: GraphQLResolveInfo): string {
  const keys: (string | number)[] = [];
  for (let above = path.prev; above !== undefined; above = above.prev) keys.push(above.key);
  return keys.join('.');
}
