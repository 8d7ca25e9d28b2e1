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
    const page = findCodePage(bytes);
    if (this.isUtf8Only) throw new DatasetError(notUtf8);
    this.encoding = page.name;
    return { decode: (bytes) => decodePage(bytes, page) };
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

/** The Spanish letters of each code page by their byte. */
const letters: ReadonlyMap<CodePage, ReadonlyMap<number, LetterCase>> = new Map(
  codePages.map((page) => [
    page,
    new Map(
      [...page.characters].flatMap((character, index) => {
        // Windows-1252 has a blank where CP850 has á, and é where CP850 has Ú.
        if ('áÚ'.includes(character) && page.name === 'CP850') return [];
        const letterCase = 'áéíóúñü'.includes(character) ? 'lower' : 'ÁÉÍÓÚÑÜ'.includes(character) ? 'upper' : null;
        return letterCase === null ? [] : [[128 + index, letterCase] as const];
      }),
    ),
  ]),
);

/** Counts the bytes that are Spanish letters in a code page, and whose neighbours have the same case. */
function countLetters(bytes: Buffer, page: CodePage): number {
  const cases = letters.get(page);
  return bytes.reduce((count, byte, index) => {
    const letterCase = byte < 0x80 ? undefined : cases?.get(byte);
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

/** Returns the code page in which most bytes are letters. If none has more, it is that of Windows, which most programs write. */
function findCodePage(bytes: Buffer): CodePage {
  const counts = codePages.map((page) => ({ page, count: countLetters(bytes, page) }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).page;
}

function decodePage(bytes: Buffer, page: CodePage): string {
  const isMixed =
    utf8Letter.test(bytes.toString('latin1')) || countLetters(bytes, page) < countLetters(bytes, findCodePage(bytes));
  if (isMixed) throw new DatasetError(mixed);
  return decodeCodePage(bytes, page);
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
