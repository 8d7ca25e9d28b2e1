import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { inLanguage, type Problem } from '../../../registry/answer/problem';
import type { Context } from '../context';
import { RegistryProblem } from './types';

@Resolver(() => RegistryProblem)
export class ProblemResolver {
  /** Translated here, because requests in different languages may share an answer. */
  @FieldResolver()
  message(@Root() problem: Problem, @Ctx() { language }: Context): string {
    return inLanguage(problem, language).message;
  }
}
