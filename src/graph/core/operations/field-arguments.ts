import { type FieldNode, type GraphQLField, isNonNullType, Kind, type OperationDefinitionNode } from 'graphql';
import { maxInputLength } from '../../../identifiers/normalise';
import { isNull } from './selections';

type Variables = Readonly<Record<string, unknown>>;

/** Bytes of a short text. An identifier with all its separators is shorter. */
const maxUsualBytes = 100;
/** Bytes of a control character in JSON, such as `\u0001`. */
const maxBytesPerCharacter = 6;
const quotesBytes = 2;
/** Maximum page size. The resolvers reject larger ones. */
const maxPageSize = 1_000;

export function isLongText(value: unknown): boolean {
  if (typeof value !== 'string' || value.length * maxBytesPerCharacter <= maxUsualBytes) return false;
  return value.length > maxUsualBytes || Buffer.byteLength(JSON.stringify(value)) - quotesBytes > maxUsualBytes;
}

export class FieldArguments {
  private readonly lists = new Map<string, readonly unknown[]>();
  private readonly longTexts = new Set<string>();

  constructor(private readonly variables: Variables) {}

  readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): void {
    for (const { variable, defaultValue } of variableDefinitions) {
      const name = variable.name.value;
      if (defaultValue?.kind === Kind.LIST) this.lists.set(name, defaultValue.values);
      if (defaultValue?.kind === Kind.STRING && isLongText(defaultValue.value)) this.longTexts.add(name);
    }
  }

  countRepresentations({ arguments: values }: FieldNode): number {
    const value = values?.[0]?.value;
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return 1;
    const { value: name } = value.name;
    const list = this.valueOf(name) ?? this.lists.get(name);
    return Array.isArray(list) ? list.length : 1;
  }

  /** Returns the maximum number of entries of a page. Returns 1 for a field without pages. */
  pageSize({ arguments: values = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): number {
    const first = args.find(({ name }) => name === 'first');
    if (first === undefined) return 1;
    const value = values.find(({ name }) => name.value === 'first')?.value;
    // Sizes are cached by the lengths of variables, not by their values.
    if (value?.kind === Kind.VARIABLE) return maxPageSize;
    const size = value?.kind === Kind.INT ? Number(value.value) : Number(first.defaultValue ?? maxPageSize);
    return Math.min(maxPageSize, Math.max(1, size));
  }

  /** Whether a variable is null although its argument is non-null. Then each object has an error. */
  hasNullForNonNull({ arguments: values = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): boolean {
    return values.some(({ name, value }) => {
      if (value.kind !== Kind.VARIABLE || !isNull(this.variables, value.name.value)) return false;
      return isNonNullType(args.find((argument) => argument.name === name.value)?.type);
    });
  }

  /** Returns the bytes that a long argument may add to each value of a field, because identifiers are returned as they were sent. */
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
