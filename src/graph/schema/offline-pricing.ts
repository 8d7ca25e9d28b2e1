import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  typeFromAST,
  type ValueNode,
} from 'graphql';
import { TooManyQuestionsError } from '../../money/calls/dry-run-data-source';
import { isRemark, type Problem } from '../../registry/answer/problem';
import { placeholder } from '../../registry/endpoint/endpoint';
import type { PriceList } from '../../registry/endpoint/price-list';
import type { Context } from '../core/context';
import { DryRunBudget, type OperationLimiter, type OperationLimits } from '../core/operations/operation-limits';
import { createDryRunContext, Estimator } from '../core/pricing/estimate';
import type { UnitEstimateEndpoint } from '../core/pricing/types';
import { UploadedFile } from '../core/scalars/upload';
import { maxMonths } from '../domains/receipts/identifiers';
import type { Graph } from './build-schema';
import { startsBatch } from './dry-run';

type Variables = Readonly<Record<string, unknown>>;

/** Maximum number of combinations of assumed values. Each takes a dry run. */
const maxCombinations = 1_024;
/** Assumed current day. It is after every month in documents and in assumed variables. */
const endOfTime = new Date('9999-12-01T12:00:00Z');

export interface WorstCase {
  /** Units of the most expensive combination: an upper bound if nothing is unbounded or unknown. */
  readonly units: number;
  readonly endpoints: readonly UnitEstimateEndpoint[];
  /** Fields that are charged for each entry of a list of any length. */
  readonly unbounded: readonly string[];
  readonly unknown: readonly string[];
}

export class OfflinePricing {
  private readonly context: Context;
  private readonly arguments: UnknownArguments;

  /** Changes resolvers of the graph, so the graph must not serve requests. */
  constructor(
    private readonly graph: Graph,
    limiter: OperationLimiter,
    limits: OperationLimits & { readonly tokens: number; readonly estimateNodes: number },
    prices: PriceList,
  ) {
    this.context = createDryRunContext(
      { address: ({ method, path }) => `${method} ${path}`, sandbox: false, prices },
      {
        catalogue: graph.catalogue,
        finders: graph.finders,
        limiter,
        dryRunBudget: new DryRunBudget(limits),
        checkDigits: 'refuse',
        now: () => endOfTime,
      },
    );
    this.arguments = new UnknownArguments(graph.schema);
  }

  /** Returns the highest price of an operation. Variables that are not in `variables` may have any value. */
  async price(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Promise<WorstCase> {
    const names = new Set(Object.keys(variables));
    this.arguments.start(names);
    const assumed = assumeVariables(this.graph.schema, operation, variables);
    const [key] = findKeyVariables(operation).filter((name) => !names.has(name));
    if (key !== undefined) return unknownPrice(`it depends on the entities in $${key}: give values with --variables`);
    const combinations = assumed.reduce((count, { values }) => count * values.length, 1);
    if (combinations > maxCombinations)
      return unknownPrice(`its variables have more than ${maxCombinations} combinations: give values with --variables`);
    const priced: WorstCase[] = [];
    for (const row of combine(assumed)) priced.push(await this.priceRow(document, { ...variables, ...row }));
    const highest = priced.reduce((left, right) => (right.units > left.units ? right : left));
    return {
      ...highest,
      unbounded: distinct(priced.flatMap(({ unbounded }) => unbounded)),
      unknown: distinct(priced.flatMap(({ unknown }) => unknown)),
    };
  }

  private async priceRow(document: DocumentNode, row: Variables): Promise<WorstCase> {
    try {
      const estimator = new Estimator({ schema: this.graph.schema, document, operationName: null }, this.context);
      await estimator.addRow(row);
      const { dryRun } = estimator;
      const { estimatedUnits: units, endpoints, invalidRows } = estimator.estimate(true);
      const isRejected = (each: Problem): boolean => each.code !== 'MISSING_IDENTIFIER' && !isRemark(each);
      const rejected = invalidRows === 0 ? [] : dryRun.problems.filter(isRejected);
      const unlimited = [...dryRun.unlimitedBatches].map(
        (field) =>
          `${field} spends up to the limit of its batch: write \`maxUnits\` as a number, or give values with --variables`,
      );
      const unknown = rejected.map(({ code, path }) => `${(path ?? []).join('.')} is rejected (${code})`);
      const isUnfit = invalidRows > 0 && rejected.length === 0;
      return {
        units,
        endpoints,
        unbounded: [...dryRun.unboundedFields].map((field) => `${field}, for each entry of a list`),
        unknown: [...(isUnfit ? ['a variable does not fit its type'] : unknown), ...unlimited],
      };
    } catch (error) {
      if (error instanceof TooManyQuestionsError) return unknownPrice(`it asks more than ${error.allowed} questions`);
      throw error;
    }
  }
}

const unknownPrice = (reason: string): WorstCase => ({ units: 0, endpoints: [], unbounded: [], unknown: [reason] });

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

function* combine([first, ...rest]: readonly AssumedVariable[]): Generator<Variables> {
  if (first === undefined) {
    yield {};
    return;
  }
  for (const row of combine(rest)) for (const value of first.values) yield { ...row, [first.name]: value };
}

const monthsPerYear = 12;
/** The last year that the rule of months accepts. It is far from the months of documents and of assumed variables. */
const lastYear = 2100;

/** Replaces arguments that affect the price by more than their presence, if they are variables of unknown value. */
class UnknownArguments {
  private variables: ReadonlySet<string> = new Set();
  private readonly ranges = new Map<string, number>();

  /** Changes the resolvers of `receiptsBetween` and of the mutations that start batches in this schema. */
  constructor(schema: GraphQLSchema) {
    const employer = schema.getType('Employer');
    const receipts = isObjectType(employer) ? employer.getFields().receiptsBetween : undefined;
    if (receipts === undefined) throw new Error('The schema has no Employer.receiptsBetween.');
    this.replace(receipts, (args, info) => {
      const ends = argumentsOf(info, ['from', 'to']);
      return ends.some((end) => this.isUnknown(end)) ? this.widestRange(ends) : args;
    });
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}).filter(startsBatch))
      this.replace(field, (args, info) =>
        argumentsOf(info, ['maxUnits']).some((limit) => this.isUnknown(limit)) ? { ...args, maxUnits: null } : args,
      );
  }

  start(variables: ReadonlySet<string>): void {
    this.variables = variables;
    this.ranges.clear();
  }

  private replace(
    field: GraphQLField<unknown, Context>,
    change: (args: Variables, info: GraphQLResolveInfo) => Variables,
  ): void {
    const { resolve } = field;
    if (resolve === undefined) throw new Error(`${field.name} has no resolver.`);
    field.resolve = (root, args, context, info) => resolve(root, change(args, info), context, info);
  }

  private isUnknown(value: ValueNode): boolean {
    return value.kind === Kind.VARIABLE && !this.variables.has(value.name.value);
  }

  /** Returns the widest range. Different ends are different ranges, so that no month is counted for two of them. */
  private widestRange(ends: readonly ValueNode[]): Variables {
    const key = ends.map((end) => print(end)).join(' ');
    const index = this.ranges.get(key) ?? this.ranges.size;
    this.ranges.set(key, index);
    const years = maxMonths / monthsPerYear;
    const year = lastYear - index * years;
    return { from: `${year - years + 1}-01`, to: `${year}-12` };
  }
}

const argumentsOf = ({ fieldNodes }: GraphQLResolveInfo, names: readonly string[]): readonly ValueNode[] =>
  (fieldNodes[0]?.arguments ?? []).filter(({ name }) => names.includes(name.value)).map(({ value }) => value);

/** The values that a variable of unknown value is assumed to have. One of them leads to the highest price. */
interface AssumedVariable {
  readonly name: string;
  readonly values: readonly unknown[];
}

function assumeVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): readonly AssumedVariable[] {
  return variableDefinitions.flatMap((definition, index) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (Object.hasOwn(variables, name) || !isInputType(type)) return [];
    return [{ name, values: valuesOf(type, `${name}:${index}`, index) }];
  });
}

function valuesOf(type: GraphQLInputType, label: string, index: number): readonly unknown[] {
  if (isNonNullType(type)) return valuesOfNullable(type.ofType, label, index);
  const values = valuesOfNullable(type, label, index);
  // Null is not tried for a Boolean: it behaves like true or false, or is not allowed.
  return String(type) === 'Boolean' ? values : [null, ...values];
}

/** Returns the values of a type besides null. Different variables have different values, so that no two questions are the same. */
function valuesOfNullable(type: GraphQLInputType, label: string, index: number): readonly unknown[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  return String(type) === 'Boolean' ? [true, false] : [sampleOf(type, label, index)];
}

/** Returns the variables of an operation that are keys of entities. Their price depends on the entity. */
function findKeyVariables({ variableDefinitions = [] }: OperationDefinitionNode): readonly string[] {
  return variableDefinitions
    .filter(({ type }) => print(type).includes('_Any'))
    .map(({ variable }) => variable.name.value);
}

/** Returns a value that each rule of identifiers accepts in a dry run, and each scalar accepts as input. */
function sampleOf(type: GraphQLInputType, label: string, index: number): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, label, index);
  if (isListType(type)) return [sampleOf(type.ofType, label, index)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [
        field.name,
        sampleOf(field.type, `${label}.${field.name}`, index),
      ]),
    );
  return sampleByScalar[type.name]?.(index) ?? placeholder(label.toUpperCase());
}

/** The first year that the rule of months accepts. It is far from the months of documents. */
const firstYear = 2000;

const sampleByScalar: Readonly<Record<string, (index: number) => unknown>> = {
  Boolean: () => true,
  Int: (index) => index + 1,
  Float: (index) => index + 1,
  ID: (index) => `id-${index}`,
  Base64: () => 'AA==',
  // A dry run reads no file.
  Upload: () => Object.create(UploadedFile.prototype),
  JSON: () => ({}),
  YearMonth: (index) => {
    const year = firstYear + Math.floor(index / monthsPerYear);
    return `${year}-${String((index % monthsPerYear) + 1).padStart(2, '0')}`;
  },
};
