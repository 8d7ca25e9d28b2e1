import { ia5, objectIdentifier, printable, sequence, set, t61 } from './der';

export interface Subject {
  readonly rfc: string;
  /** The holder's; for a company its representative's. */
  readonly curp: string;
  readonly name: string;
  /** The representative of a company. Omitted for a person. */
  readonly representative?: { readonly rfc: string };
  readonly kind?: 'efirma' | 'seal';
}

type Attribute = readonly [identifier: string, value: string];

const COMMON_NAME = '550403';
const SERIAL_NUMBER = '550405';
const COUNTRY = '550406';
const ORGANIZATION = '55040a';
const ORGANIZATIONAL_UNIT = '55040b';
const NAME = '550429';
const UNIQUE_IDENTIFIER = '55042d';
const EMAIL = '2a864886f70d010901';

/** A holder's name, written as the tax authority writes it, in DER. */
export function subjectName({ rfc, curp, name, representative, kind }: Subject): Buffer {
  const identifiers: readonly Attribute[] = [
    [UNIQUE_IDENTIFIER, representative === undefined ? rfc : `${rfc} / ${representative.rfc}`],
    [SERIAL_NUMBER, representative === undefined ? curp : ` / ${curp}`],
  ];
  const names: readonly Attribute[] = [COMMON_NAME, NAME, ORGANIZATION].map((attribute) => [attribute, name]);
  return kind === 'seal'
    ? nameOf([...names, ...identifiers, [ORGANIZATIONAL_UNIT, 'Sucursal 1']])
    : nameOf([...names, [COUNTRY, 'MX'], [EMAIL, 'pruebas@pruebas.gob.mx'], ...identifiers]);
}

export function authorityName(commonName: string, organization: string): Buffer {
  return nameOf([
    [COMMON_NAME, commonName],
    [ORGANIZATION, organization],
    [ORGANIZATIONAL_UNIT, 'SAT-IES Authority'],
    [COUNTRY, 'MX'],
    [UNIQUE_IDENTIFIER, '2.5.4.45'],
  ]);
}

function nameOf(attributes: readonly Attribute[]): Buffer {
  return sequence(...attributes.map(([id, value]) => set(sequence(objectIdentifier(id), textOf(id, value)))));
}

/** The tax authority writes Latin-1 as T61 if a printable string cannot contain the text (Ñ, &). */
function textOf(identifier: string, value: string): Buffer {
  if (identifier === EMAIL) return ia5(value);
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? printable(value) : t61(value);
}
