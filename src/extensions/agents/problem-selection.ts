import { randomBytes } from 'node:crypto';
import {
  type DocumentNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A random name, so that no field of an operation or of the JSON of a row has it. */
const alias = `padronProblems${randomBytes(8).toString('hex')}`;
const [selection] = parse(`{ ${alias}: problems { code message retryable } }`, { noLocation: true }).definitions;
const problemSelections = selection?.kind === Kind.OPERATION_DEFINITION ? selection.selectionSet.selections : [];

export interface FoundProblem {
  /** Path of the lookup in the answer, such as `person.credit`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** Selects the problems of each lookup, because a warning such as IDENTITY_CONFLICT must not depend on what the operation selects. */
export function selectProblems(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet: (node) => {
        const type = types.getParentType();
        const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
        const isLookup = String(fields.problems?.type) === '[RegistryProblem!]!';
        return isLookup ? { ...node, selections: [...node.selections, ...problemSelections] } : undefined;
      },
    }),
  );
}

/**
 * Characters that people do not see and a model may read: controls apart from tab and line breaks, format characters, fillers and
 * variation selectors.
 */
const invisible = /[^\P{C}\t\n\r]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

export const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** Returns the data without the problems that `selectProblems` added and without invisible characters, and these problems. */
export function extractProblems(data: object): { readonly data: object; readonly problems: readonly FoundProblem[] } {
  const problems: FoundProblem[] = [];
  const copy = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return withoutInvisible(value);
    if (Array.isArray(value)) return value.map((entry, index) => copy(entry, [...path, String(index)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        // The names of members may be text of the service too, in a scalar that is JSON.
        if (name !== alias) return [[withoutInvisible(name), copy(member, [...path, name])]];
        for (const problem of member as readonly Omit<FoundProblem, 'path'>[])
          problems.push({ ...problem, path: path.join('.'), message: withoutInvisible(problem.message) });
        return [];
      }),
    );
  };
  return { data: copy(data, []) as object, problems };
}
