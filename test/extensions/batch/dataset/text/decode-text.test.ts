import { DatasetError } from '../../../../../src/extensions/batch/dataset/dataset';
import { DecodedText } from '../../../../../src/extensions/batch/dataset/text/decode-text';

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function decode(bytes: Buffer, size: number) {
  const decoded = new DecodedText(chunks(bytes, size));
  let text = '';
  for await (const part of decoded) text += part;
  return { text, encoding: decoded.encoding };
}

const text = 'nss;nombre\n1;MUÑOZ «Ñoño» Íñigo\n2;Peña\n';
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

describe('a text file', () => {
  it.each([
    ['UTF-8', Buffer.from(`${text}🙂`), 'UTF-8', `${text}🙂`],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), 'UTF-8', text],
    ['ASCII', Buffer.from('a,b\n1,2\n'), 'UTF-8', 'a,b\n1,2\n'],
    ['a single character', Buffer.from('a'), 'UTF-8', 'a'],
    ['nothing', Buffer.alloc(0), 'UTF-8', ''],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'Windows-1252', text],
    ['the euro of Windows-1252', Buffer.from('a\n\x80 5\n', 'latin1'), 'Windows-1252', 'a\n€ 5\n'],
    ['Windows-1252 with an accent at the end', Buffer.from('JOS\xe9', 'latin1'), 'Windows-1252', 'JOSé'],
    ['UTF-16LE', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'UTF-16', text],
    ['UTF-16BE', swapped(Buffer.from(`\uFEFF${text}`, 'utf16le')), 'UTF-16', text],
  ])('is decoded, with any division into chunks: %s', async (_what, bytes, encoding, expected) => {
    for (const size of [1, 2, 3, 5, 1_000]) expect(await decode(bytes, size)).toEqual({ text: expected, encoding });
  });

  it.each([
    ['UTF-8 first', Buffer.concat([Buffer.from('PEÑA\n'), Buffer.from('MU\xd1OZ\n', 'latin1')])],
    ['Windows-1252 first', Buffer.concat([Buffer.from('MU\xd1OZ\n', 'latin1'), Buffer.from('PEÑA\n')])],
    ['a sequence that is not complete', Buffer.concat([Buffer.from('PEÑA\n'), Buffer.of(0xc3)])],
  ])('is rejected if it mixes encodings: %s', async (_what, bytes) => {
    await expect(decode(bytes, 1_000)).rejects.toThrow(/mixes UTF-8 and another encoding/);
    await expect(decode(bytes, 1_000)).rejects.toBeInstanceOf(DatasetError);
  });
});
