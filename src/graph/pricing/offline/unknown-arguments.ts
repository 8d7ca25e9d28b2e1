import {
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  Kind,
  print,
  type ValueNode,
} from 'graphql';
import type { Context } from '../../context';
import { maxMonths } from '../../receipts/identifiers';
import { startsBatch } from '../../schema/dry-run';

type Arguments = Readonly<Record<string, unknown>>;

const monthsPerYear = 12;
/** The last year that the rule of months accepts. It is far from the months of documents and of assumed variables. */
const lastYear = 2100;

/** Replaces arguments that affect the price by more than their presence, if they are variables of unknown value. */
export class UnknownArguments {
  private variables: ReadonlySet<string> = new Set();
  private readonly ranges = new Map<string, number>();

  /** Changes the resolvers of `receiptsBetween` and of the mutations that start batches in this schema. */
  constructor(schema: GraphQLSchema) {
    const employer = schema.getType('Employer');
    const receipts = isObjectType(employer) ? employer.getFields().receiptsBetween : undefined;
    if (receipts === undefined) throw new Error('The schema has no Employer.receiptsBetween.');
    this.replace(receipts, (args, info) => {
      const ends = valuesOf(info, ['from', 'to']);
      return ends.some((end) => this.isUnknown(end)) ? this.widestRange(ends) : args;
    });
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}).filter(startsBatch))
      this.replace(field, (args, info) =>
        valuesOf(info, ['maxUnits']).some((limit) => this.isUnknown(limit)) ? { ...args, maxUnits: null } : args,
      );
  }

  /** Starts another operation. `variables` are those with a value. */
  start(variables: ReadonlySet<string>): void {
    this.variables = variables;
    this.ranges.clear();
  }

  private replace(
    field: GraphQLField<unknown, Context>,
    change: (args: Arguments, info: GraphQLResolveInfo) => Arguments,
  ): void {
    const { resolve } = field;
    if (resolve === undefined) throw new Error(`${field.name} has no resolver.`);
    field.resolve = (root, args, context, info) => resolve(root, change(args, info), context, info);
  }

  private isUnknown(value: ValueNode): boolean {
    return value.kind === Kind.VARIABLE && !this.variables.has(value.name.value);
  }

  /** Returns the widest range. Different ends are different ranges, so that no month is counted for two of them. */
  private widestRange(ends: readonly ValueNode[]): Arguments {
    const key = ends.map((end) => print(end)).join(' ');
    const index = this.ranges.get(key) ?? this.ranges.size;
    this.ranges.set(key, index);
    const years = maxMonths / monthsPerYear;
    const year = lastYear - index * years;
    return { from: `${year - years + 1}-01`, to: `${year}-12` };
  }
}

/** Returns the values of arguments as the document has them. */
const valuesOf = ({ fieldNodes }: GraphQLResolveInfo, names: readonly string[]): readonly ValueNode[] =>
  (fieldNodes[0]?.arguments ?? []).filter(({ name }) => names.includes(name.value)).map(({ value }) => value);
