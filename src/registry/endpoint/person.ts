import { type Endpoint, type EndpointParts, endpoint } from './endpoint';

export type IdentityField =
  | 'NSS'
  | 'CURP'
  | 'RFC'
  | 'NAMES'
  | 'PATERNAL_SURNAME'
  | 'MATERNAL_SURNAME'
  | 'BIRTH_DATE'
  | 'SEX';

/** A registry with records about the identity of people, such as `HOUSING_FUND`. Two of them are independent of each other. */
export type IdentityRegistry = string;

/** A person as a record names them. */
export interface PersonTexts {
  readonly nss?: string | null | undefined;
  readonly curp?: string | null | undefined;
  /** The CURP that was replaced by `curp`. */
  readonly replacedCurp?: string | null | undefined;
  readonly rfc?: string | null | undefined;
  readonly names?: string | null | undefined;
  readonly paternalSurname?: string | null | undefined;
  readonly maternalSurname?: string | null | undefined;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | null | undefined;
  readonly sex?: string | null | undefined;
}

/** How the records of an endpoint name the person, so that each answer can be compared with what is known about them. */
export interface PersonSource<Payload> {
  readonly registry: IdentityRegistry;
  /** Fields of the question, which the registry only repeats. */
  readonly echoes: readonly IdentityField[];
  readonly toTexts: (payload: Payload) => readonly PersonTexts[];
}

/** An endpoint about a person. A field of `Person` cannot be made of another one, so that none forgets the comparison. */
export interface PersonEndpoint<Question, Payload> extends Endpoint<Question, Payload> {
  readonly person: PersonSource<Payload> | 'NAMES_NO_PERSON';
}

export function personEndpoint<Question, Payload>(
  parts: EndpointParts<Question, Payload> & Pick<PersonEndpoint<Question, Payload>, 'person'>,
): PersonEndpoint<Question, Payload> {
  return Object.freeze({ ...endpoint(parts), person: parts.person });
}

/** An endpoint by which padron finds what a field needs, from an identifier that the caller gave. */
export interface IdentifierFinder {
  readonly from: 'nss' | 'curp';
  /** padron finds no identifier from a name, because people share names. */
  readonly finds: 'nss' | 'curp' | 'name';
  // biome-ignore lint/suspicious/noExplicitAny: a table holds endpoints of every payload.
  readonly endpoint: PersonEndpoint<any, any>;
}
