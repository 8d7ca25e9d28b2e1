import type { GraphQLLeafType, GraphQLUnionType } from 'graphql';
import type { SelectionPlan } from './plan';
import type { writtenAsItIs } from './values';

/** How a value is written down. */
export type Shape = LeafShape | ObjectShape | UnionShape | ListShape;

export interface LeafShape {
  readonly kind: 'leaf';
  readonly nullable: boolean;
  readonly type: GraphQLLeafType;
  readonly asItIs: ReturnType<typeof writtenAsItIs>;
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
