import { TextDecoder } from 'node:util';
import type { Text } from '../../../../identifiers/text';
import { DatasetError } from '../dataset';

export type TextEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/**
 * A text file whose encoding is detected while it is read: UTF-8, UTF-16 with a byte order mark, or Windows-1252 if the first
 * bytes that are not ASCII are not UTF-8 either.
 */
export class DecodedText implements AsyncIterable<string> {
  encoding: TextEncoding = 'UTF-8';
  /** Whether any other encoding is rejected, because the format has only this one. */
  isUtf8Only = false;

  constructor(private readonly bytes: AsyncIterable<Buffer>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let decoder: TextDecoder | null = null;
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
        decoder = this.detect(buffer.subarray(start));
      }
      yield this.decode(decoder, buffer);
    }
    if (rest.length > 0) decoder ??= this.detect(rest.subarray(Math.max(0, findNonAscii(rest))));
    if (decoder !== null) yield this.decode(decoder, rest, true);
  }

  private detectMark(start: Buffer): TextDecoder | null {
    const [first, second] = start;
    if (first === 0xff && second === 0xfe) return this.choose('UTF-16', 'utf-16le');
    if (first === 0xfe && second === 0xff) return this.choose('UTF-16', 'utf-16be');
    return null;
  }

  /** Chooses between UTF-8 and Windows-1252. `start` begins with the first byte that is not ASCII, if there is one. */
  private detect(start: Buffer): TextDecoder {
    const isUtf8 = (start[0] ?? 0) < 0x80 || utf8Sequence.test(start.toString('latin1', 0, maxSequenceBytes));
    return isUtf8 ? this.choose('UTF-8', 'utf-8') : this.choose('Windows-1252', 'windows-1252');
  }

  private choose(encoding: TextEncoding, label: string): TextDecoder {
    if (this.isUtf8Only && encoding !== 'UTF-8') throw new DatasetError(notUtf8);
    this.encoding = encoding;
    return new TextDecoder(label, { fatal: true });
  }

  private decode(decoder: TextDecoder, bytes: Buffer, isLast = false): string {
    if (this.isUtf8Only && this.encoding !== 'UTF-8') throw new DatasetError(notUtf8);
    if (this.encoding === 'Windows-1252' && utf8Letter.test(bytes.toString('latin1'))) throw new DatasetError(mixed);
    try {
      return decoder.decode(bytes, { stream: !isLast });
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
      throw new DatasetError(mixed);
    }
  }
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
