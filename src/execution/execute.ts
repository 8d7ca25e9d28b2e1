import { defaultTypeResolver, locatedError } from 'graphql';
import { coerceArguments } from './arguments';
import { type CountedErrors, ErrorList } from './error-list';
import { isIterable, isPromise, serializeLeaf } from './leaf';
import type { FieldPlan, LeafShape, ListShape, Plan, SelectionPlan, Shape, UnionShape } from './plan';
import { resolveInfo } from './resolve-info';
import { ResponsePath } from './response-path';
import { ResultObject } from './result';
import type { VariableValues } from './variables';

export interface Execution extends CountedErrors {
  readonly data: ResultObject | null;
}

/** Runs a planned query as graphql-js would: the same resolvers with the same arguments, the same answer, the same errors. */
export function executePlan(
  plan: Plan,
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
): Promise<Execution> {
  return new Promise((resolve) => new Executor(plan, context, variables, resolve).start());
}

/**
 * One execution. Values are put where they belong as they come, so that nothing but the resolvers' own promises is waited for:
 * graphql-js makes a promise for each object and list above an awaited value.
 */
class Executor {
  private readonly errors = new ErrorList();
  private data: ResultObject | null;
  /** Values that are still awaited, and the start itself. */
  private pending = 1;

  constructor(
    private readonly plan: Plan,
    private readonly context: unknown,
    private readonly variables: Readonly<Record<string, unknown>>,
    private readonly onDone: (execution: Execution) => void,
  ) {
    this.data = new ResultObject(plan.root);
  }

  start(): void {
    if (this.data !== null) this.completeObject(this.data, {}, undefined);
    this.settleOne();
  }

  private settleOne(): void {
    this.pending -= 1;
    if (this.pending === 0) this.onDone({ data: this.data, ...this.errors.count() });
  }

  private completeObject(
    { values, selection }: ResultObject,
    source: unknown,
    parentPath: ResponsePath | undefined,
  ): void {
    for (const field of selection.fields) {
      if (field.typename !== null) values.push(field.typename);
      else if (field.resolve === null && field.shape.kind === 'leaf')
        this.completeLeaf(values, field, field.shape, source, parentPath);
      else this.completeField(field, source, createPath(field, values, parentPath));
      if (parentPath === undefined ? this.data === null : parentPath.nulled) return;
    }
  }

  /** Most fields are this: a property of their object, written as it is. */
  private completeLeaf(
    values: unknown[],
    field: FieldPlan,
    shape: LeafShape,
    source: unknown,
    parentPath: ResponsePath | undefined,
  ): void {
    const value = (source as VariableValues)[field.name];
    if ((value === null || value === undefined) && shape.nullable) values.push(null);
    else if (value === undefined || typeof value === 'object')
      this.completeField(field, source, createPath(field, values, parentPath));
    else {
      try {
        values.push(serializeLeaf(shape, value));
      } catch (error) {
        this.handleFieldError(error, field, createPath(field, values, parentPath));
      }
    }
  }

  private completeField(field: FieldPlan, source: unknown, path: ResponsePath): void {
    try {
      this.completeValue(field.shape, this.resolve(field, source, path), field, path);
    } catch (error) {
      this.handleFieldError(error, field, path);
    }
  }

  private resolve(field: FieldPlan, source: unknown, path: ResponsePath): unknown {
    if (field.resolve === null) return (source as VariableValues)[field.name];
    const values = coerceArguments(field.arguments, field.field, field.node, this.variables);
    return field.resolve(source, values, this.context, resolveInfo(this.plan, field, path, this.variables));
  }

  private completeValue(shape: Shape, value: unknown, field: FieldPlan, path: ResponsePath): void {
    if (value instanceof Error) throw value;
    if (isPromise(value)) this.completePromise(shape, value, field, path);
    else if (value === null || value === undefined) {
      if (!shape.nullable) throw nonNullError(field);
    } else if (shape.kind === 'leaf') path.set(serializeLeaf(shape, value));
    else if (shape.kind === 'list') this.completeList(shape, value, field, path);
    else {
      const selection = shape.kind === 'object' ? shape.selection : this.selectionFor(shape, value, field, path);
      const object = new ResultObject(selection);
      path.set(object);
      this.completeObject(object, value, path);
    }
  }

  private completePromise(shape: Shape, value: PromiseLike<unknown>, field: FieldPlan, path: ResponsePath): void {
    this.pending += 1;
    value.then(
      (settled) => {
        if (!this.isNulled(path)) {
          try {
            this.completeValue(shape, settled, field, path);
          } catch (error) {
            this.handleFieldError(error, field, path);
          }
        }
        this.settleOne();
      },
      (error: unknown) => {
        this.handleFieldError(error, field, path);
        this.settleOne();
      },
    );
  }

  private completeList({ of }: ListShape, value: unknown, field: FieldPlan, path: ResponsePath): void {
    const { parent, field: definition } = field;
    if (!isIterable(value))
      throw new Error(`Expected Iterable, but did not find one for field "${parent.name}.${definition.name}".`);
    const list: unknown[] = [];
    path.set(list);
    for (const entry of value) {
      if (path.nulled) {
        // Nobody looks at it any more, and it may still fail.
        if (isPromise(entry)) entry.then(undefined, () => {});
        continue;
      }
      const entryPath = new ResponsePath(path, list, list.length, of.nullable, undefined);
      try {
        this.completeValue(of, entry, field, entryPath);
      } catch (error) {
        this.handleFieldError(error, field, entryPath);
      }
    }
  }

  /** Types are told at once in this graph, by `__typename`; anything else is an error of ours. */
  private selectionFor(
    { type, selections }: UnionShape,
    value: unknown,
    field: FieldPlan,
    path: ResponsePath,
  ): SelectionPlan {
    const info = resolveInfo(this.plan, field, path, this.variables);
    const name = (type.resolveType ?? defaultTypeResolver)(value, this.context, info, type);
    const selection = typeof name === 'string' ? selections.get(name) : undefined;
    if (selection === undefined)
      throw new Error(`Runtime Object type "${name}" is not a possible type for "${type.name}".`);
    return selection;
  }

  /** An error makes null of its field or, where that may not be null, of the nearest place above that may. */
  private handleFieldError(error: unknown, field: FieldPlan, path: ResponsePath): void {
    if (this.isNulled(path)) return;
    this.errors.add(() => locatedError(error, field.nodes, path.toKeys()));
    const nulled = path.propagateNull();
    if (nulled === undefined) this.data = null;
    else nulled.set(null);
  }

  private isNulled(path: ResponsePath): boolean {
    return this.data === null || path.isNulled();
  }
}

function createPath(
  { key, shape, parent }: FieldPlan,
  values: unknown[],
  parentPath: ResponsePath | undefined,
): ResponsePath {
  return new ResponsePath(parentPath, values, key, shape.nullable, parent.name);
}

function nonNullError({ parent, field }: FieldPlan): Error {
  return new Error(`Cannot return null for non-nullable field ${parent.name}.${field.name}.`);
}
