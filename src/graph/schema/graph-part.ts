import type { ClassType } from 'type-graphql';
import type { CodeTable } from '../../identifiers/code-entry';
import type { ReferenceResolver } from './entities';

/** Fields that an extension adds to the graph. */
export interface GraphPart {
  /** Tag of its root fields (`@tag`), by which a router leaves them out. */
  readonly tag: string;
  /** Codes of its problems and errors. */
  readonly codes?: CodeTable;
  readonly resolvers: readonly ClassType[];
  /** Resolvers of its entities, by the name of their type. */
  readonly references?: Readonly<Record<string, ReferenceResolver>>;
  /** Weights of its fields that take more work than the size of their answer suggests, by name or by type and name. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Nullable fields that are also null without an error, and why. */
  readonly nullWithoutError?: Readonly<Record<string, string>>;
  /** Nullable fields of its types that are null only together with an error. */
  readonly semanticNonNull?: readonly string[];
}
