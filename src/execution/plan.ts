import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  OperationDefinitionNode,
} from 'graphql';
import type { ArgumentsPlan } from './arguments';

/** An operation with all that does not depend on its answers worked out before: which fields, of which types, by which resolvers. */
export interface Plan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly root: SelectionPlan;
  /** Fields planned: what keeping the plan takes. */
  readonly size: number;
}

/** The fields asked of one object. */
export interface SelectionPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
  /** What stands before each field's value (see `keyPrefixes` in `result.ts`). */
  readonly keyPrefixes: readonly string[];
  /** Whether all of them begin in one turn of the event loop: one of them waits for those that are selected beside it. */
  readonly beginsWhole: boolean;
}

export interface FieldPlan {
  /** Its name in the schema. */
  readonly name: string;
  /** Its name in the answer. */
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
  /** Where the document asks for it. */
  readonly nodes: readonly FieldNode[];
  /** The first of these, which gives the arguments. */
  readonly node: FieldNode;
  /** Null where the value is a property of its object. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | null;
  readonly arguments: ArgumentsPlan;
  readonly shape: Shape;
  /** `__typename`: known before. */
  readonly typename: string | null;
}

/** How a value is written down. */
export type Shape = LeafShape | ObjectShape | UnionShape | ListShape;

export interface LeafShape {
  readonly kind: 'leaf';
  readonly nullable: boolean;
  readonly type: GraphQLLeafType;
  /** The kind of value that is written as it is. */
  readonly passThrough: 'string' | 'boolean' | null;
}

interface ObjectShape {
  readonly kind: 'object';
  readonly nullable: boolean;
  readonly selection: SelectionPlan;
}

export interface UnionShape {
  readonly kind: 'union';
  readonly nullable: boolean;
  readonly type: GraphQLUnionType;
  readonly selections: ReadonlyMap<string, SelectionPlan>;
}

export interface ListShape {
  readonly kind: 'list';
  readonly nullable: boolean;
  readonly of: Shape;
}
