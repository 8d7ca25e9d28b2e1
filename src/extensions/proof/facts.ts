import { type Language, say, spanishEnums, type Text } from '../../identifiers/text';

/** What the document says about an entry. Times are local, with their offset from UTC. */
export interface EntryFacts {
  readonly id: string;
  /** The identifiers that the entry is linked to, by their kind. */
  readonly subject: Readonly<Record<string, string>>;
  readonly endpoint: string;
  readonly at: string;
  readonly checked?: string | null;
  readonly age?: number | null;
  readonly outcome: string;
  readonly problem?: string | null;
  readonly status?: number | null;
  readonly code?: string | null;
  readonly source: string;
  readonly billing: string;
  readonly units: number;
  readonly purpose?: string | null;
  readonly client?: string | null;
  readonly actor?: string | null;
  readonly sha256?: string | null;
}

/** The signed content. `v` is the version of the texts below: padron compares them with the document, so those of a release never change. */
export interface Facts {
  readonly v: 1;
  readonly lang: Language;
  readonly id: string;
  readonly at: string;
  readonly service: string;
  readonly reference?: string | null;
  readonly entries: readonly EntryFacts[];
}

/** A line of the document. `label` and `text` are beside each other. A line without a label is a title or a note. */
export interface Line {
  readonly kind: 'title' | 'head' | 'note' | 'entry' | 'fact';
  readonly label: string;
  readonly text: string;
}

const kinds: Readonly<Record<string, Text>> = {
  registration: { english: 'employer registration', spanish: 'registro patronal' },
  licence: { english: 'professional licence', spanish: 'cédula profesional' },
  certificate: { english: 'study certificate', spanish: 'certificado de estudios' },
  name: { english: 'name', spanish: 'nombre' },
};
const otherPerson: Text = {
  english: ': the answer may be about somebody else, so it proves nothing about this person',
  spanish: ': la respuesta puede ser de otra persona, así que no prueba nada sobre esta',
};
const { LookupOutcome: outcomes, RegistryBilling: billings, ServedFrom: sources } = spanishEnums;

type Fact = readonly [key: keyof EntryFacts, english: string, spanish: string, words?: Readonly<Record<string, string>>];

const entryFacts: readonly Fact[] = [
  ['id', 'Ledger entry', 'Asiento'],
  ['subject', 'Asked about', 'Consulta sobre'],
  ['endpoint', 'Endpoint', 'Servicio consultado (endpoint)'],
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

/** Service of a document about people whom padron has invented. */
export const sandboxService = 'sandbox';
const invented = ['sandbox: all data is invented', 'sandbox: todos los datos son inventados'] as const;

const notes: readonly Text[] = [
  {
    english:
      'The padron of the company that asked made and signed this document. It shows what its ledger recorded. It has no timestamp of an authority, and is not a NOM-151 certificate. To get one, give a provider of these certificates the SHA-256 of this file.',
    spanish:
      'El padron de la empresa que consultó elaboró y firmó este documento, que muestra lo que registró su libro de consumo. No tiene sello de tiempo de una autoridad ni es una constancia NOM-151. Para obtenerla, entregue el SHA-256 de este archivo a un prestador de servicios de certificación.',
  },
  {
    english:
      'To check this document and print that SHA-256: padron verify proof.pdf --keys jwks.json. The QR code has the signature (JWS, Ed25519).',
    spanish:
      'Para comprobar este documento e imprimir ese SHA-256: padron verify comprobante.pdf --keys jwks.json. El código QR contiene la firma (JWS, Ed25519).',
  },
];

/** Returns the lines of the document, in their order. `kid` is the ID of the key that signs it. */
export function linesOf({ lang, id, at, service, reference = null, entries }: Facts, kid: string): readonly Line[] {
  const inDocument = (english: string, spanish: string): string => say({ english, spanish }, lang);
  const head = (english: string, spanish: string, text: string): Line => ({
    kind: 'head',
    label: inDocument(english, spanish),
    text: toPrintable(text),
  });
  return [
    { kind: 'title', label: '', text: inDocument('Proof of registry queries', 'Comprobante de consultas a registros') },
    head('Document', 'Documento', id),
    head('Made at', 'Elaborado el', at),
    head('Service', 'Servicio', service === sandboxService ? inDocument(...invented) : service),
    ...(reference === null ? [] : [head('Reference', 'Referencia', reference)]),
    head('Entries', 'Asientos', String(entries.length)),
    head('Key', 'Llave', kid),
    ...notes.map((note): Line => ({ kind: 'note', label: '', text: say(note, lang) })),
    ...entries.flatMap((entry) => entryFacts.flatMap((fact) => entryLine(entry, fact, lang))),
  ];
}

function entryLine(entry: EntryFacts, [key, english, spanish, words = {}]: Fact, lang: Language): readonly Line[] {
  const value = key === 'subject' ? sayIdentifiers(entry.subject, lang) : (entry[key] ?? null);
  if (value === null) return [];
  const text = lang === 'es' ? (words[String(value)] ?? String(value)) : String(value);
  const isDoubtful = key === 'problem' && /^(ANSWER_MISMATCH|IDENTITY_CONFLICT)$/.test(text);
  return [
    {
      kind: key === 'id' ? 'entry' : 'fact',
      label: say({ english, spanish }, lang),
      text: toPrintable(isDoubtful ? text + say(otherPerson, lang) : text),
    },
  ];
}

const sayIdentifiers = (subject: EntryFacts['subject'], lang: Language): string =>
  Object.entries(subject)
    .map(([kind, value]) => `${kinds[kind] === undefined ? kind.toUpperCase() : say(kinds[kind], lang)} ${value}`)
    .join(', ');

/** Returns text in which characters that the fonts of PDF lack are escapes, such as `\u{1f600}`. */
const toPrintable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

export interface Change {
  readonly label: string;
  readonly shown: string;
  readonly signed: string;
}

const bare = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');
const maxShown = 80;

/** Returns the first difference between the text that a document shows and its signed lines. Blanks and page numbers do not count. */
export function findChange(shownLines: readonly (readonly string[])[], signedLines: readonly Line[]): Change | null {
  const shown = bare(shownLines.filter(([cell = '', ...more]) => more.length > 0 || !/^\d+ \/ \d+$/.test(cell)).flat().join(''));
  let start = 0;
  for (const [index, { label, text }] of signedLines.entries()) {
    const expected = bare(label + text);
    if (!shown.startsWith(expected, start)) {
      const next = signedLines[index + 1];
      const from = shown.startsWith(bare(label), start) ? start + bare(label).length : start;
      const end = next === undefined ? -1 : shown.indexOf(bare(next.label || next.text), from);
      return { label: label || text, shown: shown.slice(from, end < 0 ? undefined : end).slice(0, maxShown), signed: text };
    }
    start += expected.length;
  }
  return start === shown.length ? null : { label: '', shown: shown.slice(start, start + maxShown), signed: '' };
}
