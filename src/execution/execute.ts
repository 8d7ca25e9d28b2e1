import { type FieldNode, locatedError } from 'graphql';
import { coerceArguments } from './arguments';
import { nonNullError, notIterableError, selectionOf } from './completion';
import { type CountedErrors, ErrorList } from './error-list';
import { ignoreFailures, isIterable, isPromise, serializeLeaf } from './leaf';
import type { FieldPlan, LeafShape, ListShape, Plan, Shape } from './plan';
import { resolveInfo } from './resolve-info';
import { fieldPath, ResponsePath } from './response-path';
import { ResultObject } from './result';
import { OperationTurns } from './turns';
import type { VariableValues } from './variables';

export interface Execution extends CountedErrors {
  readonly data: ResultObject | null;
  /** Whether writing the data takes long. */
  readonly isLarge: boolean;
}

/** Runs a planned query as graphql-js would: the same resolvers with the same arguments, the same answer, the same errors. */
export function executePlan(plan: Plan, context: unknown, variables: VariableValues): Promise<Execution> {
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
  private readonly turns = new OperationTurns();

  constructor(
    readonly plan: Plan,
    readonly context: unknown,
    readonly variables: VariableValues,
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
    const { data, errors, turns } = this;
    if (this.pending === 0) this.onDone({ data, ...errors.count(), isLarge: turns.isLarge });
  }

  /** Leaves what follows to a later turn of the event loop. Of what it is done with, nobody hears of failures until then. */
  private defer(path: ResponsePath | undefined, values: unknown, work: () => void): void {
    ignoreFailures(values);
    this.pending += 1;
    this.turns.defer(() => {
      try {
        if (!this.isNulled(path)) work();
      } catch (error) {
        this.handleError(error, [], path);
      }
      this.settleOne();
    });
  }

  private completeObject(object: ResultObject, source: unknown, parentPath: ResponsePath | undefined, start = 0): void {
    const { values, selection } = object;
    for (let index = start; index < selection.fields.length; index += 1) {
      const field = selection.fields[index] as FieldPlan;
      if (field.typename !== null) values.push(field.typename);
      else if (field.resolve === null && field.shape.kind === 'leaf' && !this.turns.hasStopped)
        this.completeLeaf(values, field, field.shape, source, parentPath);
      else if (this.turns.isUsedUp() && (index === start || !selection.beginsWhole)) {
        this.defer(parentPath, source, () => this.completeObject(object, source, parentPath, index));
        return;
      } else this.completeField(field, source, fieldPath(field, values, parentPath));
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
      this.completeField(field, source, fieldPath(field, values, parentPath));
    else {
      try {
        values.push(serializeLeaf(shape, value));
      } catch (error) {
        this.handleError(error, field.nodes, fieldPath(field, values, parentPath));
      }
    }
  }

  private completeField(field: FieldPlan, source: unknown, path: ResponsePath): void {
    try {
      this.completeValue(field.shape, this.resolve(field, source, path), field, path);
    } catch (error) {
      this.handleError(error, field.nodes, path);
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
      const selection = shape.kind === 'object' ? shape.selection : selectionOf(shape, value, this, field, path);
      const object = new ResultObject(selection);
      path.set(object);
      this.completeObject(object, value, path);
    }
  }

  private completePromise(shape: Shape, value: PromiseLike<unknown>, field: FieldPlan, path: ResponsePath): void {
    this.pending += 1;
    value.then(
      (settled) => {
        if (this.turns.isUsedUp()) this.defer(path, settled, () => this.completeSettled(shape, settled, field, path));
        else this.completeSettled(shape, settled, field, path);
        this.settleOne();
      },
      (error: unknown) => {
        if (this.turns.isUsedUp()) this.defer(path, null, () => this.handleError(error, field.nodes, path));
        else this.handleError(error, field.nodes, path);
        this.settleOne();
      },
    );
  }

  private completeSettled(shape: Shape, settled: unknown, field: FieldPlan, path: ResponsePath): void {
    if (this.isNulled(path)) return;
    try {
      this.completeValue(shape, settled, field, path);
    } catch (error) {
      this.handleError(error, field.nodes, path);
    }
  }

  private completeList({ of }: ListShape, value: unknown, field: FieldPlan, path: ResponsePath): void {
    if (!isIterable(value)) throw notIterableError(field);
    const list: unknown[] = [];
    path.set(list);
    this.completeEntries(Array.isArray(value) ? value : [...value], list, of, field, path);
  }

  /** The list grows by an entry each time. */
  private completeEntries(
    entries: readonly unknown[],
    list: unknown[],
    of: Shape,
    field: FieldPlan,
    path: ResponsePath,
  ): void {
    while (list.length < entries.length && !path.nulled) {
      if (this.turns.isUsedUp()) {
        this.defer(path, entries, () => this.completeEntries(entries, list, of, field, path));
        return;
      }
      const entry = entries[list.length];
      this.completeSettled(of, entry, field, new ResponsePath(path, list, list.length, of.nullable, undefined));
    }
    if (path.nulled) ignoreFailures(entries);
  }

  /** An error makes null of its field or, where that may not be null, of the nearest place above that may. */
  private handleError(error: unknown, nodes: readonly FieldNode[], path: ResponsePath | undefined): void {
    if (this.isNulled(path)) return;
    this.errors.add(() => locatedError(error, nodes, path?.toKeys()));
    const nulled = path?.propagateNull();
    if (nulled === undefined) this.data = null;
    else nulled.set(null);
  }

  private isNulled(path: ResponsePath | undefined): boolean {
    return this.data === null || path?.isNulled() === true;
  }
}
