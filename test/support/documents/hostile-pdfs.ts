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

/** A page whose content is packed: a few kilobytes unpack to many megabytes. */
const packedPage = (content: Buffer): Buffer => pagesOf(stream('/Filter/FlateDecode', deflateSync(content)));

/** Problems of a document that costs much to read: which limit it meets first depends on the machine. */
const heavy = /^(?:UNREADABLE|TOO_SLOW|TOO_LONG)$/;

export const hostilePdfs: readonly (readonly [name: string, problem: RegExp, make: () => Buffer])[] = [
  ['nothing behind its name', /^UNREADABLE$/, () => Buffer.from('%PDF-1.7')],
  ['four megabytes of junk', heavy, () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4e6, 0x41)])],
  [
    'more bytes than an opinion has',
    /^TOO_LARGE$/,
    () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(6e6)]),
  ],
  [
    'a stream of 400 MB, packed twice',
    heavy,
    () => {
      const packed = deflateSync(deflateSync(Buffer.alloc(4e8, 0x20)));
      return pagesOf(stream('/Filter[/FlateDecode/FlateDecode]', packed));
    },
  ],
  ['ten thousand pages', /^TOO_LONG$/, () => pagesOf(stream('', text('(x) Tj')), 10_000)],
  [
    'pages of text without end',
    /^TOO_LONG$/,
    () => pagesOf(stream('', text(`100 100 Td ${'(without end) Tj 0 0 Td '.repeat(600)}`)), 50),
  ],
  ['a gigabyte of blanks', heavy, () => packedPage(Buffer.alloc(1e9, 0x20))],
  ['a string of 8 million characters', heavy, () => packedPage(text(`(${'a'.repeat(8e6)}) Tj`))],
  ['a string of 20 million characters', heavy, () => packedPage(text(`(${'a'.repeat(2e7)}) Tj`))],
  ['a string of 40 million characters', heavy, () => packedPage(text(`(${'a'.repeat(4e7)}) Tj`))],
  ['ten million operators', heavy, () => packedPage(Buffer.from('q Q '.repeat(5e6)))],
  ['arrays in arrays, three million deep', heavy, () => Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(3e6)}`)],
];

export const emptyHostilePdfs: readonly (readonly [name: string, make: () => Buffer])[] = [
  ['ten million numbers', () => packedPage(Buffer.from('1 '.repeat(1e7)))],
  ['five million names', () => packedPage(Buffer.from('/Name '.repeat(5e6)))],
  ['arrays in the arrays of a page', () => packedPage(Buffer.from('['.repeat(2e7)))],
  ['a drawing that draws itself', circularPdf],
];

/** A drawing that draws itself. */
function circularPdf(): Buffer {
  return assemble([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</X 4 0 R>>>>/Contents 5 0 R>>',
    stream(
      '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>',
      Buffer.from('/X Do /X Do /X Do'),
    ),
    stream('', Buffer.from('/X Do')),
  ]);
}
