import { deflateSync } from 'node:zlib';

/** A PDF of these objects, the first of which is its catalogue. */
function assemble(objects: readonly (string | Buffer)[]): Buffer {
  const parts = objects.map((object, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n')]),
  );
  const header = '%PDF-1.4\n';
  const offsets = parts.map((_, index) =>
    parts.slice(0, index).reduce((sum, { length }) => sum + length, header.length),
  );
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = parts.reduce((sum, { length }) => sum + length, header.length);
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${end}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(header), ...parts, Buffer.from(table + trailer)]);
}

const stream = (entries: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\n`), bytes, Buffer.from('\nendstream')]);

function pagesOf(content: Buffer, count = 1): Buffer {
  return assemble([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${Array<string>(count).fill('3 0 R').join(' ')}]/Count ${count}>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    content,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);
}

const text = (words: string): Buffer => Buffer.from(`BT /F1 10 Tf ${words} ET`);

/** Documents that no reader may be brought down by, and what ours says of them. */
export const hostilePdfs: readonly (readonly [name: string, problem: string, make: () => Buffer])[] = [
  ['nothing behind its name', 'UNREADABLE', () => Buffer.from('%PDF-1.7')],
  ['four megabytes of junk', 'UNREADABLE', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4e6, 0x41)])],
  ['more bytes than an opinion has', 'TOO_LARGE', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(6e6)])],
  [
    'a stream of 400 MB, packed twice',
    'UNREADABLE',
    () => {
      const packed = deflateSync(deflateSync(Buffer.alloc(4e8, 0x20)));
      return pagesOf(stream('/Filter[/FlateDecode/FlateDecode]', packed));
    },
  ],
  ['ten thousand pages', 'TOO_LONG', () => pagesOf(stream('', text('(x) Tj')), 10_000)],
  [
    'pages of text without end',
    'TOO_LONG',
    () => pagesOf(stream('', text(`100 100 Td ${'(without end) Tj 0 0 Td '.repeat(600)}`)), 50),
  ],
  ['arrays in arrays, three million deep', 'UNREADABLE', () => Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(3e6)}`)],
];

/** A drawing that draws itself. */
export const circularPdf: () => Buffer = () =>
  assemble([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</X 4 0 R>>>>/Contents 5 0 R>>',
    stream(
      '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>',
      Buffer.from('/X Do /X Do /X Do'),
    ),
    stream('', Buffer.from('/X Do')),
  ]);
