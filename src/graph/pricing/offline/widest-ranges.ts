import { type GraphQLSchema, isObjectType, Kind, print, type ValueNode } from 'graphql';
import type { Context } from '../../context';
import { maxMonths } from '../../receipts/identifiers';

const monthsPerYear = 12;
/** The last year that the rule of months accepts. It is far from the months of documents and of assumed variables. */
const lastYear = 2100;

/**
 * Assumes the widest range for `receiptsBetween` if one of its ends is a variable of unknown value. Different ends are different ranges, so
 * that no month is counted for two of them.
 */
export class WidestRanges {
  private variables: ReadonlySet<string> = new Set();
  private readonly ranges = new Map<string, number>();

  /** Changes the resolver of `receiptsBetween` in this schema. */
  constructor(schema: GraphQLSchema) {
    const employer = schema.getType('Employer');
    const field = isObjectType(employer) ? employer.getFields().receiptsBetween : undefined;
    const resolve = field?.resolve;
    if (field === undefined || resolve === undefined) throw new Error('The schema has no Employer.receiptsBetween.');
    field.resolve = (root, args, context: Context, info) => {
      const values = (info.fieldNodes[0]?.arguments ?? []).map(({ value }) => value);
      const isUnknown = values.some((value) => value.kind === Kind.VARIABLE && !this.variables.has(value.name.value));
      return resolve(root, isUnknown ? this.widestRange(values) : args, context, info);
    };
  }

  /** Starts another operation. `variables` are those with a value. */
  start(variables: ReadonlySet<string>): void {
    this.variables = variables;
    this.ranges.clear();
  }

  private widestRange(ends: readonly ValueNode[]): { readonly from: string; readonly to: string } {
    const key = ends.map((end) => print(end)).join(' ');
    const index = this.ranges.get(key) ?? this.ranges.size;
    this.ranges.set(key, index);
    const years = maxMonths / monthsPerYear;
    const year = lastYear - index * years;
    return { from: `${year - years + 1}-01`, to: `${year}-12` };
  }
}
