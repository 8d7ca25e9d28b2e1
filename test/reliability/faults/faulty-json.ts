import type { ChangedAnswer, RelayedAnswer } from '../../support/proxies/tampering-proxy';
import { carrying, enveloped, type Fault, found, json, type LookupReport, unusable } from './fault';

type Change = (answer: RelayedAnswer) => ChangedAnswer;

const textOf = ({ bytes }: RelayedAnswer): string => bytes.toString('utf8');

/** Adds an unknown member at the beginning of the body. */
function withForeign(member: string | Buffer): Change {
  return (answer) => {
    const head = Buffer.from('{"aviso":');
    return { bytes: Buffer.concat([head, Buffer.from(member), Buffer.from(','), answer.bytes.subarray(1)]) };
  };
}

/** Adds members at the end of the body. */
function ending(member: string): Change {
  return (answer) => ({ bytes: Buffer.from(`${textOf(answer).slice(0, -1)},${member}}`) });
}

const unreadable: readonly (readonly [name: string, change: Change])[] = [
  ['NaN', withForeign('NaN')],
  ['Infinity', withForeign('-Infinity')],
  ['a number with leading zeros', withForeign('007')],
  ['a comment', withForeign('1 /* Ñ */')],
  ['a text in single quotes', withForeign("'Ñ'")],
  ['a raw NUL in a text', withForeign('"\u0000"')],
  ['a line break in a text', withForeign('"\n"')],
  ['a lone surrogate as bytes', withForeign(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))],
  ['an overlong encoding', withForeign(Buffer.from([0x22, 0xc0, 0xaf, 0x22]))],
  ['a byte that is not UTF-8', withForeign(Buffer.from([0x22, 0xff, 0x22]))],
  ['a comma at its end', (answer) => ({ bytes: Buffer.from(`${textOf(answer).slice(0, -1)},}`) })],
  ['the same body twice', ({ bytes }) => ({ bytes: Buffer.concat([bytes, bytes]) })],
  ['a byte order mark of UTF-16', ({ bytes }) => ({ bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]) })],
  ['text as the body', () => ({ bytes: Buffer.from('"Éxito"') })],
  ['a number as the body', () => ({ bytes: Buffer.from('200') })],
  ['true as the body', () => ({ bytes: Buffer.from('true') })],
  ['an empty object as the body', () => ({ bytes: Buffer.from('{}') })],
  ['a second, contradictory verdict', ending('"success":false,"ok":false')],
];

const odd: readonly (readonly [name: string, change: Change])[] = [
  [
    'a first, contradictory verdict',
    (answer) => ({ bytes: Buffer.from(`{"success":false,"ok":false,${textOf(answer).slice(1)}`) }),
  ],
  ['an infinite number', withForeign('1e999')],
  ['a number of a thousand digits', withForeign('9'.repeat(1_000))],
  ['a thousand foreign members', withForeign(`1,${Array.from({ length: 1_000 }, (_, i) => `"m${i}":[]`).join(',')}`)],
  ['members named as methods', withForeign('1,"toString":1,"constructor":{"prototype":{"success":false}},"then":1')],
  ['blank space around it', (answer) => ({ bytes: Buffer.from(`\r\n\t ${textOf(answer)} \n`) })],
];

/** Raw JSON that replaces each leaf of the payload. */
const leaves: Readonly<Record<string, string>> = {
  null: 'null',
  'an empty text': '""',
  NaN: '"NaN"',
  'an infinite number': '1e999',
  'an inexact integer': '12345678901234567890',
  'a negative fraction': '-0.5',
  true: 'true',
  'an empty list': '[]',
  'an empty object': '{}',
  'lists in lists': `${'['.repeat(1_000)}${']'.repeat(1_000)}`,
  'a NUL': '"\\u0000"',
  'a lone surrogate': '"\\ud800"',
  'a text of 2,000 letters': `"${'Ñ'.repeat(2_000)}"`,
  'a formula': '"=HYPERLINK(\\"x\\")"',
  __proto__: '"__proto__"',
};

const mark = '@leaf@';

/** Replaces every leaf of the payload by one value. The envelope stays. */
function everyLeaf(raw: string): Change {
  return ({ json: body }) => {
    const { success, status, ok, data, ...rest } = body as Record<string, unknown>;
    const envelope = { success, status, ok };
    const payload = data === undefined && ok !== undefined ? (marked(rest) as object) : { ...rest, data: marked(data) };
    return { bytes: Buffer.from(JSON.stringify({ ...envelope, ...payload }).replaceAll(`"${mark}"`, () => raw)) };
  };
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : mark;
  // Rows of another registration are dropped correctly, so this leaf stays.
  const kept = (name: string): boolean => name === 'registro_patronal';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, kept(name) ? member : marked(member)]),
  );
}

function faults(
  list: typeof odd,
  allowedReports: readonly LookupReport[],
  opens: Fault['opens'] = json,
): readonly Fault[] {
  return list.map(([name, change]) => ({ name: `JSON with ${name}`, allowedReports, opens, tamper: change }));
}

const words = JSON.stringify({ message: 'Éxito \ud800 \u0000 \u202e', codigoValidacion: '\ud800' }).slice(1, -1);

/** JSON that is unreadable, unusual, or has undocumented values. */
export const faultyJson: readonly Fault[] = [
  ...faults(unreadable, [unusable]),
  ...faults(odd, [found]),
  ...faults([['texts with a NUL and a lone surrogate', ending(words)]], [found], enveloped),
  ...faults(
    Object.entries(leaves).map(([name, raw]) => [`${name} for every value`, everyLeaf(raw)] as const),
    [found, unusable],
    carrying,
  ),
];
