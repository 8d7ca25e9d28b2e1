import { type Language, say, spanishEnums } from '../../identifiers/text';
import type { OtherIdentifier } from '../../money/ledger/reading/other-identifiers';

export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The signed content. Documents of version 1 have no signature of their bytes. */
export interface Facts {
  readonly v: 1 | 2;
  readonly lang: Language;
  readonly head: Values;
  /** Absent in the QR code of a long document. */
  readonly entries?: readonly Values[];
}

/** A line of the document: a label and its text beside it. Titles and notes have no label. */
export type Line = readonly [label: string, text: string, name?: string];

const { LookupOutcome: outcomes, RegistryBilling: billings, ServedFrom: sources } = spanishEnums;

/** Labels of the facts in both languages, in their order, and Spanish words for their values. */
const labels: readonly (readonly [name: string, en: string, es: string, words?: Readonly<Record<string, string>>])[] = [
  ['issuer', 'Issuer', 'Emisor', { 'not stated': 'no indicado' }],
  ['document', 'Document', 'Documento'],
  ['made', 'Made at', 'Elaborado el'],
  ['service', 'Service', 'Servicio', { 'sandbox: all data is invented': 'sandbox: todos los datos son inventados' }],
  ['reference', 'Reference', 'Referencia'],
  ['count', 'Entries', 'Asientos'],
  ['others', 'Not included', 'Sin incluir'],
  ['key', 'Key ID', 'ID de la llave'],
  ['keys', 'Public keys', 'Llaves públicas', { 'jwks.json of the issuer': 'jwks.json del emisor' }],
  ['id', 'Ledger entry', 'Asiento'],
  ['nss', 'NSS', 'NSS'],
  ['curp', 'CURP', 'CURP'],
  ['rfc', 'RFC', 'RFC'],
  ['registration', 'Employer registration', 'Registro patronal'],
  ['licence', 'Professional licence', 'Cédula profesional'],
  ['certificate', 'Study certificate', 'Certificado de estudios'],
  ['name', 'Name', 'Nombre'],
  ['endpoint', 'Asked (endpoint)', 'Consulta (endpoint)'],
  ['at', 'Asked at', 'Fecha y hora de la consulta'],
  ['checked', 'Service called at', 'Llamada al servicio el'],
  ['age', 'Age of the reused answer, in seconds', 'Antigüedad de la respuesta, en segundos'],
  ['outcome', 'Outcome', 'Resultado', outcomes],
  ['problem', 'Problem', 'Problema'],
  ['status', 'HTTP status', 'Estado HTTP'],
  ['code', 'Validation code', 'Código de validación'],
  ['source', 'Source of the answer', 'Origen de la respuesta', sources],
  ['billing', 'Billing', 'Cobro', billings],
  ['units', 'Units', 'Unidades'],
  ['purpose', 'Purpose', 'Finalidad'],
  ['client', 'Application that asked', 'Aplicación que consultó'],
  ['actor', 'Person who asked', 'Persona que consultó'],
  ['sha256', 'SHA-256 of the received answer', 'SHA-256 de la respuesta recibida'],
];

const title = { english: 'Proof of registry queries', spanish: 'Comprobante de consultas a registros' };
const note = {
  english:
    'The issuer made and signed this document with padron, the program with which it asks registries. It shows what its ledger recorded. It has no timestamp of an authority, and is not a NOM-151 certificate. To get one, give the SHA-256 of this file to a provider of these certificates. With the problem ANSWER_MISMATCH or IDENTITY_CONFLICT, an answer may be about somebody else. The SHA-256 of a received answer is the hash of the bytes that the service sent. padron does not keep these bytes, so only who has kept them, such as the service, can compare them. To check that no byte of this file was changed, and to print its SHA-256: padron verify proof.pdf --keys jwks.json. The QR code has signed facts (JWS, Ed25519).',
  spanish:
    'El emisor elaboró y firmó este documento con padron, el programa con el que consulta los registros. Muestra lo que anotó su libro de consumo. No tiene sello de tiempo de una autoridad ni es una constancia NOM-151. Para obtenerla, entregue el SHA-256 de este archivo a un prestador de servicios de certificación. Con el problema ANSWER_MISMATCH o IDENTITY_CONFLICT, la respuesta puede ser de otra persona. El SHA-256 de la respuesta recibida es la huella de los bytes que envió el servicio. padron no conserva esos bytes: solo quien los haya conservado, como el servicio, puede compararlos. Para comprobar que no se cambió ningún byte de este archivo e imprimir su SHA-256: padron verify comprobante.pdf --keys jwks.json. El código QR contiene datos firmados (JWS, Ed25519).',
};

export function linesOf({ lang, head, entries = [] }: Facts): readonly Line[] {
  const linesIn = (values: Values): readonly Line[] =>
    labels.flatMap(([name, english, spanish, words = {}]) => {
      const value = values[name] ?? null;
      const text = lang === 'es' ? (words[String(value)] ?? value) : value;
      return value === null ? [] : [[say({ english, spanish }, lang), toPrintable(String(text)), name] as const];
    });
  return [['', say(title, lang)], ...linesIn(head), ['', say(note, lang)], ...entries.flatMap(linesIn)];
}

/** Returns the number of entries that only other identifiers of the person find, or null if there are none. */
export function toOthers(others: readonly OtherIdentifier[], lang: Language): string | null {
  const counts = others
    .filter(({ entries }) => entries > 0)
    .map(({ kind, entries }) => {
      const [, english = kind, spanish = kind] = labels.find(([name]) => name === kind) ?? [];
      return `${say({ english, spanish }, lang)}: ${entries}`;
    });
  const english = 'further entries of the person by other identifiers';
  const spanish = 'otros asientos de la persona con otros datos';
  return counts.length === 0 ? null : `${say({ english, spanish }, lang)}. ${counts.join(', ')}`;
}

/** Returns text in which characters that the fonts of PDF lack are escapes, such as `\u{1f600}`. */
const toPrintable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(
      /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );

const bare = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');

/** Returns the first difference between what a document shows and its signed lines. Returns null without one, or if the text has no title. Blanks do not count. */
export function findChange(shownText: string, lines: readonly Line[]): string | null {
  let rest = bare(shownText);
  for (const [index, [label, text]] of lines.entries()) {
    if (rest.startsWith(bare(label + text))) rest = rest.slice(bare(label + text).length);
    else if (index === 0) return null;
    else {
      const shown = rest.startsWith(bare(label)) ? rest.slice(bare(label).length) : rest;
      const [next = ''] = lines[index + 1] ?? [];
      const end = next === '' ? -1 : shown.indexOf(bare(next));
      return `“${label || text}”: it shows “${shown.slice(0, end < 0 ? 80 : end)}”, but “${text}” was signed`;
    }
  }
  return rest === '' ? null : `its end: “${rest.slice(0, 80)}” was not signed`;
}
