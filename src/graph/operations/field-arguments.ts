import { type FieldNode, type GraphQLField, isNonNullType, Kind, type OperationDefinitionNode } from 'graphql';
import { maxInputLength } from '../validation/normalise';
import { isNull } from './selections';

type Variables = Readonly<Record<string, unknown>>;

/** More than any identifier takes with all its separators. */
const maxUsualBytes = 100;
/** Control characters are written as `\u0001`. */
const maxBytesPerCharacter = 6;
const quotesBytes = 2;
/** Larger pages are refused where they are read. */
const maxPageSize = 1_000;

export function isLongText(value: unknown): boolean {
  if (typeof value !== 'string' || value.length * maxBytesPerCharacter <= maxUsualBytes) return false;
  return value.length > maxUsualBytes || Buffer.byteLength(JSON.stringify(value)) - quotesBytes > maxUsualBytes;
}

/** What the arguments of a document say of the size of its answer. */
export class FieldArguments {
  /** Lists that variables hold when nothing is given. */
  private readonly lists = new Map<string, readonly unknown[]>();
  /** Variables that hold a long text when nothing is given. */
  private readonly longTexts = new Set<string>();

  constructor(private readonly variables: Variables) {}

  readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): void {
    for (const { variable, defaultValue } of variableDefinitions) {
      const name = variable.name.value;
      if (defaultValue?.kind === Kind.LIST) this.lists.set(name, defaultValue.values);
      if (defaultValue?.kind === Kind.STRING && isLongText(defaultValue.value)) this.longTexts.add(name);
    }
  }

  /** The length of the list that `_entities` is given. */
  countRepresentations({ arguments: values }: FieldNode): number {
    const value = values?.[0]?.value;
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return 1;
    const { value: name } = value.name;
    const list = this.valueOf(name) ?? this.lists.get(name);
    return Array.isArray(list) ? list.length : 1;
  }

  /** The entries that a page holds at most; 1 of what is no page. */
  pageSize({ arguments: values = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): number {
    const first = args.find(({ name }) => name === 'first');
    if (first === undefined) return 1;
    const value = values.find(({ name }) => name.value === 'first')?.value;
    // Sizes are kept by the lengths of variables, not by their values.
    if (value?.kind === Kind.VARIABLE) return maxPageSize;
    const size = value?.kind === Kind.INT ? Number(value.value) : Number(first.defaultValue ?? maxPageSize);
    return Math.min(maxPageSize, Math.max(1, size));
  }

  /** Whether a variable is null where its argument may not be: each object asked has an error then. */
  failByNull({ arguments: values = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): boolean {
    return values.some(({ name, value }) => {
      if (value.kind !== Kind.VARIABLE || !isNull(this.variables, value.name.value)) return false;
      return isNonNullType(args.find((argument) => argument.name === name.value)?.type);
    });
  }

  /** What each value below a field may take because it was written into its arguments: an identifier is given back as it came. */
  echoedBytes({ arguments: values = [] }: FieldNode): number {
    const isLong = values.some(({ value }) => {
      if (value.kind === Kind.STRING) return isLongText(value.value);
      if (value.kind !== Kind.VARIABLE) return false;
      const { value: name } = value.name;
      return this.longTexts.has(name) || isLongText(this.valueOf(name));
    });
    return isLong ? maxInputLength * maxBytesPerCharacter : 0;
  }

  private valueOf(name: string): unknown {
    return Object.hasOwn(this.variables, name) ? this.variables[name] : undefined;
  }
}
