// The types of `padron/extension`. This file imports nothing, so that its declarations work in any project.

/** A text in both languages of padron. */
export interface Words {
  readonly english: string;
  readonly spanish: string;
}

/** Types of the graph. A service writes Boolean as `true` or `false` of JSON, Date as `2026-01-31`, `20260131` or `31/01/2026`, and DateTime as ISO 8601 with a zone. */
export type ColumnType =
  | 'String'
  | 'ID'
  | 'Int'
  | 'Boolean'
  | 'Decimal'
  | 'Date'
  | 'DateTime'
  | 'NSS'
  | 'CURP'
  | 'RFC'
  | 'EmployerRegistration';

/** A field of a record. */
export interface Column {
  /** Name of the column, as the service writes it. */
  readonly column: string;
  readonly type: ColumnType;
  readonly description: string;
  /** Name in headers of Spanish result files, such as `fecha de pago`. */
  readonly spanish: string;
}

/** A field with an object, or a list of objects. */
export interface Group extends Omit<Column, 'type'> {
  readonly record: RecordTable;
  readonly isList?: boolean;
}

/** A record of the registry. Every field may be null: an answer that was paid is never lost because of one value. */
export interface RecordTable {
  /** Name of its type in the graph, such as `Settlement`. The lookup is `SettlementLookup`. */
  readonly type: string;
  readonly description: string;
  /** Fields by their names in the graph. */
  readonly fields: Readonly<Record<string, Column | Group>>;
}

/** An identifier that the field takes from its `Person` or `Employer`. */
export interface Given {
  readonly from: 'nss' | 'curp' | 'registration';
  /** Returns the value as the service takes it: text or a number, the same for the same value. Default: unchanged. */
  readonly write?: (value: string) => string | number;
}

/** An argument of the field. padron checks identifiers by their rules, and links them in the ledger. */
export interface Argument {
  readonly argument: string;
  readonly type: 'String' | 'Int' | 'NSS' | 'CURP' | 'RFC' | 'EmployerRegistration';
  readonly description: string;
  readonly isOptional?: boolean;
  /** Returns what is wrong with a value and what to do, or null. It must not repeat the value, because messages may be logged. */
  readonly check?: (value: string) => Words | null;
  /** The kind of identifier that a String is, by which proofs and erasures find the call. */
  readonly subject?: 'licence' | 'certificate';
  readonly write?: (value: string) => string | number;
}

/** Parts of an identity. `sex` is compared if it is HOMBRE, MUJER, 1 or 2. */
export type IdentityPart =
  | 'nss'
  | 'curp'
  | 'rfc'
  | 'registration'
  | 'names'
  | 'paternalSurname'
  | 'maternalSurname'
  | 'birthDate'
  | 'sex';

/** An endpoint of the registry service. Each export of a file of `EXTENSIONS` is one. */
export interface EndpointDefinition {
  /** padron's name of the endpoint, such as `findPostalCode`: in price lists and estimates. */
  readonly name: string;
  /** The place of its field: `Query.postalCode`, `Person.contributionWeeks` or `Employer.branches`. */
  readonly field: string;
  readonly description: string;
  /** Name of the field in headers of Spanish result files. */
  readonly spanish: string;
  /** Method and path: `POST /api/sepomex/buscar-codigo`. Below `/api/`, the service has a sandbox mode. */
  readonly address: string;
  readonly encoding: 'query' | 'json';
  /** `record` or `list`: the common envelope with an object or an array in `data`. `document`: `{ok: true, …}` is the record itself. */
  readonly envelope: 'record' | 'list' | 'document';
  /** Units of a call that is charged, unless `PRICE_LIST` says otherwise. */
  readonly units: number;
  /** Permission that the account needs. Null if the service names none: callers with a JWT then need `padron_` and the name. */
  readonly permission: string | null;
  /** Whether the service allows it in batches. Default: false. */
  readonly batch?: boolean;
  /** The registry behind it. Each name has a circuit breaker. The words are for messages: `the postal service`, `el servicio postal`. */
  readonly registry: Words & { readonly name: string };
  /** Parameters by the names of the service. */
  readonly input: Readonly<Record<string, Given | Argument>>;
  readonly record: RecordTable;
  /**
   * The fields of the record that name the person or the employer. padron compares them with the question, and with everything else that is
   * known about the person. Null if no answer names anybody.
   */
  readonly names: Readonly<Partial<Record<IdentityPart, string>>> | null;
  /** Set if padron may take the NSS from the record of a CURP, if a field needs it and the caller did not give it. `NSS_FINDER` switches it on. */
  readonly finds?: 'nss';
  /** Returns the payload of the embedded sandbox, or null if there is no record. The members of `input` are named as in `input` above. */
  readonly sandbox?: (input: Readonly<Record<string, string>>) => object | null | Promise<object | null>;
}
