import { type GraphQLSchema, isObjectType, Kind, print, type ValueNode } from 'graphql';
import type { Context } from '../../context';
import { maxMonths } from '../../receipts/identifiers';

const monthsPerYear = 12;
/** The last year that the rule of months accepts. It is far from the months of documents and of assumed variables. */
const lastYear = 2100;

/**
 * Makes `receiptsBetween` of this schema assume the widest range if one of its ends is a variable of unknown value. `knownVariables` names the
 * variables with a value. Different ends are different ranges, so that no month is counted for two of them.
 */
export function assumeWidestRanges(schema: GraphQLSchema, knownVariables: () => ReadonlySet<string>): void {
  const employer = schema.getType('Employer');
  const field = isObjectType(employer) ? employer.getFields().receiptsBetween : undefined;
  const resolve = field?.resolve;
  if (field === undefined || resolve === undefined) throw new Error('The schema has no Employer.receiptsBetween.');
  const ranges = new Map<string, number>();
  field.resolve = (root, args, context: Context, info) => {
    const values = (info.fieldNodes[0]?.arguments ?? []).map(({ value }) => value);
    if (!values.some((value) => isUnknown(value, knownVariables()))) return resolve(root, args, context, info);
    const key = values.map((value) => print(value)).join(' ');
    const range = ranges.get(key) ?? ranges.size;
    ranges.set(key, range);
    return resolve(root, widestRange(range), context, info);
  };
}

const isUnknown = (value: ValueNode, knownVariables: ReadonlySet<string>): boolean =>
  value.kind === Kind.VARIABLE && !knownVariables.has(value.name.value);

function widestRange(index: number): { readonly from: string; readonly to: string } {
  const years = maxMonths / monthsPerYear;
  const year = lastYear - index * years;
  return { from: `${year - years + 1}-01`, to: `${year}-12` };
}
