import type { GraphQLScalarType } from 'graphql';
import { Extensions, Field, getMetadataStorage, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { Context } from './context';

// biome-ignore lint/suspicious/noExplicitAny: scalars have values of every type.
type Scalar = GraphQLScalarType<any, any>;
type Class<Instance = object> = abstract new (...parameters: never[]) => Instance;
type NamedType = Scalar | StringConstructor | BooleanConstructor | Class | Readonly<Record<string, string>>;
/** A type of the graph as type-graphql takes it: a scalar, a class, an enum, or a list of one of them in brackets. */
type FieldType = NamedType | readonly [NamedType];

type ValueOf<Type> = Type extends readonly [infer Item]
  ? readonly ValueOf<Item>[]
  : Type extends GraphQLScalarType<infer Value, infer _Printed>
    ? Value
    : Type extends StringConstructor
      ? string
      : Type extends BooleanConstructor
        ? boolean
        : Type extends Class<infer Instance>
          ? Instance
          : Type[keyof Type];

/** The type argument `Value` if there is one, or else the type of the values of `Type`. */
type Chosen<Value, Type> = [Value] extends [never] ? ValueOf<Type> : NoInfer<Value>;

interface FieldOf<Value> {
  readonly type: FieldType;
  readonly options: { readonly description: string; readonly nullable: boolean; readonly defaultValue?: unknown };
  /** Type of the value, which exists only for TypeScript. */
  readonly value?: Value;
}

interface OptionalFieldOf<Value> extends FieldOf<Value> {
  readonly isOptional: true;
}

export type Compute = (source: never, context: Context) => unknown;

interface ComputedField extends FieldOf<never> {
  readonly compute: Compute;
}

export type FieldTable = Readonly<Record<string, FieldOf<unknown> | ComputedField>>;
type TypeOfField<Entry> = Entry extends FieldOf<infer Value> ? Value : never;
export type ObjectOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends OptionalFieldOf<unknown> | ComputedField
    ? never
    : Name]: TypeOfField<Table[Name]>;
} & {
  readonly [Name in keyof Table as Table[Name] extends OptionalFieldOf<unknown> ? Name : never]?: TypeOfField<
    Table[Name]
  >;
};

export function nonNull<Value = never, const Type extends FieldType = FieldType>(
  type: Type,
  description: string,
  defaultValue?: Chosen<Value, Type>,
): FieldOf<Chosen<Value, Type>> {
  return { type, options: { description, nullable: false, ...(defaultValue === undefined ? {} : { defaultValue }) } };
}

export function nullable<Value = never, const Type extends FieldType = FieldType>(
  type: Type,
  description: string,
): FieldOf<Chosen<Value, Type> | null> {
  return { type, options: { description, nullable: true } };
}

/** Returns a nullable field that may be missing in its object, or that callers may omit in an input. */
export function optional<Value = never, const Type extends FieldType = FieldType>(
  type: Type,
  description: string,
): OptionalFieldOf<Chosen<Value, Type> | null> {
  return { ...nullable<Value, Type>(type, description), isOptional: true };
}

/** Returns a nullable field that is computed from its object, which has no such property. */
export function computed(type: FieldType, description: string, compute: Compute): ComputedField {
  return { type, options: { description, nullable: true }, compute };
}

interface Declaration {
  readonly table: FieldTable;
  readonly implemented: Class | undefined;
}

const declarations = new WeakMap<object, Declaration>();

/**
 * Returns a class whose instances have these fields, to be extended by a class with the decorator `Output` or `Input`. `implemented` is
 * the interface of the graph that the class implements.
 */
export function fields<Table extends FieldTable, Implemented extends object = object>(
  table: Table,
  implemented?: Class<Implemented>,
): new () => ObjectOf<Table> & Implemented {
  const declared = class {};
  declarations.set(declared, { table, implemented });
  return declared as new () => ObjectOf<Table> & Implemented;
}

type ExtendsFields = new () => object;

export function Output(description: string): (target: ExtendsFields) => void {
  return (target) => {
    const { implemented } = declareFields(target);
    ObjectType({ description, ...(implemented === undefined ? {} : { implements: implemented }) })(target);
  };
}

export function Input(description: string): (target: ExtendsFields) => void {
  return (target) => {
    declareFields(target);
    InputType({ description })(target);
  };
}

function declareFields(target: ExtendsFields): Declaration {
  const declaration = declarations.get(Object.getPrototypeOf(target));
  if (declaration === undefined) throw new TypeError(`${target.name} does not extend \`fields\`.`);
  for (const [name, field] of Object.entries(declaration.table)) {
    Field(() => field.type, field.options)(target.prototype, name);
    if ('compute' in field) Extensions({ compute: field.compute })(target.prototype, name);
  }
  return declaration;
}

/** Adds a value to an enum of the graph, before the graph is built. */
export function addEnumValue(enumeration: object, value: string, description: string): void {
  const { valuesConfig } = getMetadataStorage().enums.find(({ enumObj }) => enumObj === enumeration) ?? {};
  Object.assign(valuesConfig ?? {}, { [value]: { description } });
  Object.assign(enumeration, { [value]: value });
}

/** Registers an enum of the graph. `values` has the description of each value. Returns the values by name. */
export function enumType<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): { readonly [Name in Value]: Name } {
  const entries: readonly (readonly [string, string])[] = Object.entries(values);
  const enumeration = Object.fromEntries(entries.map(([value]) => [value, value]));
  const valuesConfig = Object.fromEntries(entries.map(([value, text]) => [value, { description: text }]));
  registerEnumType(enumeration, { name, description, valuesConfig });
  return enumeration as { readonly [Name in Value]: Name };
}
