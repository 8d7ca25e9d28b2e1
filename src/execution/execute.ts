import { defaultTypeResolver, type GraphQLError, type GraphQLResolveInfo, locatedError } from 'graphql';
import { argumentsOf } from './arguments';
import { isIterable, isPromise, written } from './leaf';
import type { FieldPlan, LeafShape, ListShape, Plan, SelectionPlan, Shape, UnionShape } from './plan';
import { Place } from './response-path';
import { Row } from './result';
import type { Values } from './variables';

export interface Execution {
  readonly data: Row | null;
  readonly errors: readonly GraphQLError[];
}

/** Runs a planned query as graphql-js would: the same resolvers with the same arguments, the same answer, the same errors. */
export function run(plan: Plan, context: unknown, variables: Readonly<Record<string, unknown>>): Promise<Execution> {
  return new Promise((resolve) => new Run(plan, context, variables, resolve).start());
}

/**
 * One execution. Values are put where they belong as they come, so that nothing but the resolvers' own promises is waited for:
 * graphql-js makes a promise for each object and list above an awaited value.
 */
class Run {
  private readonly errors: GraphQLError[] = [];
  private data: Row | null;
  /** Values that are still awaited, and the start itself. */
  private awaited = 1;

  constructor(
    private readonly plan: Plan,
    private readonly context: unknown,
    private readonly variables: Readonly<Record<string, unknown>>,
    private readonly over: (execution: Execution) => void,
  ) {
    this.data = new Row(plan.root);
  }

  start(): void {
    if (this.data !== null) this.fill(this.data, {}, undefined);
    this.came();
  }

  private came(): void {
    this.awaited -= 1;
    if (this.awaited === 0) this.over({ data: this.data, errors: this.errors });
  }

  private fill({ values, selection }: Row, source: unknown, at: Place | undefined): void {
    for (const field of selection.fields) {
      if (field.typename !== null) values.push(field.typename);
      else if (field.resolve === null && field.shape.kind === 'leaf')
        this.putLeaf(values, field, field.shape, source, at);
      else this.put(field, source, placeOf(field, values, at));
      if (at === undefined ? this.data === null : at.lost) return;
    }
  }

  /** Most fields are this: a property of their object, written as it is. */
  private putLeaf(values: unknown[], field: FieldPlan, shape: LeafShape, source: unknown, at: Place | undefined): void {
    const value = (source as Values)[field.name];
    if ((value === null || value === undefined) && shape.nullable) values.push(null);
    else if (value === undefined || typeof value === 'object') this.put(field, source, placeOf(field, values, at));
    else {
      try {
        values.push(written(shape, value));
      } catch (error) {
        this.fail(error, field, placeOf(field, values, at));
      }
    }
  }

  private put(field: FieldPlan, source: unknown, place: Place): void {
    try {
      this.complete(field.shape, this.resolve(field, source, place), field, place);
    } catch (error) {
      this.fail(error, field, place);
    }
  }

  private resolve(plan: FieldPlan, source: unknown, place: Place): unknown {
    const { resolve, field, first } = plan;
    if (resolve === null) return (source as Values)[field.name];
    const given = argumentsOf(plan.arguments, field, first, this.variables);
    return resolve(source, given, this.context, this.info(plan, place));
  }

  private complete(shape: Shape, value: unknown, field: FieldPlan, place: Place): void {
    if (value instanceof Error) throw value;
    if (isPromise(value)) this.await(shape, value, field, place);
    else if (value === null || value === undefined) {
      if (!shape.nullable) throw nothing(field);
    } else if (shape.kind === 'leaf') place.put(written(shape, value));
    else if (shape.kind === 'list') this.completeList(shape, value, field, place);
    else {
      const selection = shape.kind === 'object' ? shape.selection : this.selectionFor(shape, value, field, place);
      const row = new Row(selection);
      place.put(row);
      this.fill(row, value, place);
    }
  }

  private await(shape: Shape, value: PromiseLike<unknown>, field: FieldPlan, place: Place): void {
    this.awaited += 1;
    value.then(
      (came) => {
        if (!this.isLost(place)) {
          try {
            this.complete(shape, came, field, place);
          } catch (error) {
            this.fail(error, field, place);
          }
        }
        this.came();
      },
      (error: unknown) => {
        this.fail(error, field, place);
        this.came();
      },
    );
  }

  private completeList({ of }: ListShape, value: unknown, field: FieldPlan, place: Place): void {
    const { parent, field: definition } = field;
    if (!isIterable(value))
      throw new Error(`Expected Iterable, but did not find one for field "${parent.name}.${definition.name}".`);
    const list: unknown[] = [];
    place.put(list);
    for (const entry of value) {
      if (place.lost) {
        // Nobody looks at it any more, and it may still fail.
        if (isPromise(entry)) entry.then(undefined, () => {});
        continue;
      }
      const its = new Place(place, list, list.length, of.nullable, undefined);
      try {
        this.complete(of, entry, field, its);
      } catch (error) {
        this.fail(error, field, its);
      }
    }
  }

  /** Types are told at once in this graph, by `__typename`; anything else is a fault of ours. */
  private selectionFor(
    { type, selections }: UnionShape,
    value: unknown,
    field: FieldPlan,
    place: Place,
  ): SelectionPlan {
    const name = (type.resolveType ?? defaultTypeResolver)(value, this.context, this.info(field, place), type);
    const selection = typeof name === 'string' ? selections.get(name) : undefined;
    if (selection === undefined)
      throw new Error(`Runtime Object type "${name}" is not a possible type for "${type.name}".`);
    return selection;
  }

  /** An error makes null of its field or, where that may not be null, of the nearest place above that may. */
  private fail(error: unknown, field: FieldPlan, place: Place): void {
    if (this.isLost(place)) return;
    this.errors.push(locatedError(error, field.nodes, place.path()));
    const nulled = place.lose();
    if (nulled === undefined) this.data = null;
    else nulled.put(null);
  }

  private isLost(place: Place): boolean {
    return this.data === null || place.isLost();
  }

  private info({ field, nodes, parent }: FieldPlan, path: Place): GraphQLResolveInfo {
    const { schema, fragments, operation } = this.plan;
    return {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: parent,
      path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.variables,
    };
  }
}

function placeOf({ key, shape, parent }: FieldPlan, values: unknown[], at: Place | undefined): Place {
  return new Place(at, values, key, shape.nullable, parent.name);
}

function nothing({ parent, field }: FieldPlan): Error {
  return new Error(`Cannot return null for non-nullable field ${parent.name}.${field.name}.`);
}
