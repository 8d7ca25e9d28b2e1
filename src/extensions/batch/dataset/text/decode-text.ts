import { TextDecoder } from 'node:util';
import { type CodePage, codePages, decodeCodePage } from '../../../../identifiers/code-pages';
import type { Text } from '../../../../identifiers/text';
import { DatasetError } from '../dataset';

export type TextEncoding = 'UTF-8' | 'UTF-16' | CodePage['name'];

interface Decoder {
  decode(bytes: Buffer, options: { readonly stream: boolean }): string;
}

/**
 * A text file whose encoding is detected while it is read: UTF-8, UTF-16 with a byte order mark, or an older encoding of one byte per
 * character if the first bytes that are not ASCII are not UTF-8 either.
 */
export class DecodedText implements AsyncIterable<string> {
  encoding: TextEncoding = 'UTF-8';
  /** Whether any other encoding is rejected, because the format has only this one. */
  isUtf8Only = false;

  constructor(private readonly bytes: AsyncIterable<Buffer>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let decoder: Decoder | null = null;
    let rest: Buffer = Buffer.alloc(0);
    let isFirst = true;
    for await (const chunk of this.bytes) {
      const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = Buffer.alloc(0);
      // Three bytes are enough to recognize a byte order mark.
      if (isFirst && buffer.length < 3) {
        rest = buffer;
        continue;
      }
      if (isFirst) decoder = this.detectMark(buffer);
      isFirst = false;
      if (decoder === null) {
        const start = findNonAscii(buffer);
        if (start === -1) {
          yield buffer.toString('latin1');
          continue;
        }
        // A sequence may continue in the next chunk.
        if (buffer.length - start < maxSequenceBytes) {
          rest = buffer;
          continue;
        }
        decoder = this.detect(buffer, start);
      }
      yield this.decode(decoder, buffer);
    }
    if (rest.length > 0) decoder ??= this.detect(rest, Math.max(0, findNonAscii(rest)));
    if (decoder !== null) yield this.decode(decoder, rest, true);
  }

  private detectMark(start: Buffer): Decoder | null {
    const [first, second] = start;
    if (first === 0xff && second === 0xfe) return this.choose('UTF-16', 'utf-16le');
    if (first === 0xfe && second === 0xff) return this.choose('UTF-16', 'utf-16be');
    return null;
  }

  /** Chooses between UTF-8 and older encodings. `start` is the position of the first byte that is not ASCII, if there is one. */
  private detect(bytes: Buffer, start: number): Decoder {
    const isAscii = (bytes[start] ?? 0) < 0x80;
    if (isAscii || utf8Sequence.test(bytes.toString('latin1', start, start + maxSequenceBytes)))
      return this.choose('UTF-8', 'utf-8');
    if (this.isUtf8Only) throw new DatasetError(notUtf8);
    const alphabet = findAlphabet(bytes);
    this.encoding = alphabet.page.name;
    return { decode: (part) => decodeLetters(part, alphabet) };
  }

  private choose(encoding: TextEncoding, label: string): Decoder {
    if (this.isUtf8Only && encoding !== 'UTF-8') throw new DatasetError(notUtf8);
    this.encoding = encoding;
    return new TextDecoder(label, { fatal: true });
  }

  private decode(decoder: Decoder, bytes: Buffer, isLast = false): string {
    if (this.isUtf8Only && this.encoding !== 'UTF-8') throw new DatasetError(notUtf8);
    try {
      return decoder.decode(bytes, { stream: !isLast });
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
      throw new DatasetError(mixed);
    }
  }
}

type LetterCase = 'lower' | 'upper';

interface Letters {
  readonly page: CodePage;
  /** The Spanish letters by their byte. */
  readonly spanish: ReadonlyMap<number, LetterCase>;
  /** Bytes that a word may contain. */
  readonly inWords: ReadonlySet<number>;
}

const codes = (page: CodePage): readonly (readonly [byte: number, character: string])[] =>
  [...page.characters].map((character, index) => [128 + index, character]);
const caseOfLetter = (letter: string): LetterCase | null =>
  ('áéíóúñü'.includes(letter) && 'lower') || ('ÁÉÍÓÚÑÜ'.includes(letter) && 'upper') || null;
const alphabets: readonly Letters[] = codePages.map((page) => ({
  page,
  spanish: new Map(
    codes(page).flatMap(([byte, character]) => {
      const letterCase = caseOfLetter(character);
      return letterCase === null ? [] : [[byte, letterCase] as const];
    }),
  ),
  // A letter, an apostrophe, a dash or a blank. Programs write ƒ, µ, ª and º in no name.
  inWords: new Set(
    codes(page).flatMap(([byte, text]) => (/(?![ƒµªº])[\p{L}‘’–—\u00a0\u00ad]/u.test(text) ? [byte] : [])),
  ),
}));

/** Counts the Spanish letters of an alphabet whose neighbours have the same case, and which no word of the other alphabet contains. */
function countProofs(bytes: Buffer, { spanish }: Letters, { inWords }: Letters): number {
  return bytes.reduce((count, byte, index) => {
    const letterCase = byte < 0x80 || inWords.has(byte) ? undefined : spanish.get(byte);
    if (letterCase === undefined) return count;
    const [before, after] = [caseOf(bytes[index - 1]), caseOf(bytes[index + 1])];
    const isFitting =
      letterCase === 'upper'
        ? before !== 'lower' && (before ?? after) !== null
        : after !== 'upper' && (before === 'lower' || after === 'lower');
    return isFitting ? count + 1 : count;
  }, 0);
}

function caseOf(byte = 0): LetterCase | null {
  if (byte >= 0x61 && byte <= 0x7a) return 'lower';
  return byte >= 0x41 && byte <= 0x5a ? 'upper' : null;
}

/** Returns another encoding than that of Windows only if its letters prove it. Throws if letters prove two. */
function findAlphabet(bytes: Buffer): Letters {
  const [windows, ...others] = alphabets as readonly [Letters, ...Letters[]];
  const [proved, second] = others.filter((alphabet) => countProofs(bytes, alphabet, windows) > 0);
  if (proved === undefined) return windows;
  if (second !== undefined || countProofs(bytes, windows, proved) > 0) throw new DatasetError(mixed);
  return proved;
}

function decodeLetters(bytes: Buffer, alphabet: Letters): string {
  const isOther = findAlphabet(bytes) !== alphabet;
  const [windows = alphabet] = alphabets;
  const isRefuted = isOther && (alphabet === windows || countProofs(bytes, windows, alphabet) > 0);
  if (isRefuted || utf8Letter.test(bytes.toString('latin1'))) throw new DatasetError(mixed);
  return decodeCodePage(bytes, alphabet.page);
}

const findNonAscii = (bytes: Buffer): number => bytes.findIndex((byte) => byte > 0x7f);

const maxSequenceBytes = 4;
const utf8Sequence = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/;
/** Matches the UTF-8 bytes of an accented letter, which in Windows-1252 would be a sequence that no name contains, such as `Ã±`. */
const utf8Letter = /\xc3[\x80-\xbf]/;

const notUtf8: Text = {
  english: 'The file is not UTF-8. Save JSON lines as UTF-8.',
  spanish: 'El archivo no está en UTF-8. Guarde las líneas JSON en UTF-8.',
};
const mixed: Text = {
  english: 'The file mixes UTF-8 and another encoding. In a spreadsheet, save it as «CSV UTF-8».',
  spanish: 'El archivo mezcla UTF-8 con otra codificación. En la hoja de cálculo, guárdelo como «CSV UTF-8».',
};
