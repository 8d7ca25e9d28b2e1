import { deflateSync, inflateSync } from 'node:zlib';

/** Changes the objects of a proof, and writes a valid PDF with the signatures that the proof had. */
export function rewrite(document: Buffer, change: (objects: string) => string): Buffer {
  const pdf = document.toString('latin1');
  const tableAt = pdf.lastIndexOf('xref\n0 ');
  const objects = change(pdf.slice(0, tableAt));
  const offsets = [...objects.matchAll(/^(\d+) 0 obj$/gm)].map(({ 1: id, index }) => [Number(id), index] as const);
  const entries = new Map(offsets);
  const entryOf = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n `;
  const isNew = entries.has(900);
  let id = 0;
  const end = pdf
    .slice(tableAt)
    .replace(/\d{10} 00000 n /g, () => entryOf(entries.get(++id) ?? 0))
    .replace('trailer', isNew ? `900 1\n${entryOf(entries.get(900) ?? 0)}\ntrailer` : 'trailer')
    .replace(/\/Size \d+/, (size) => (isNew ? '/Size 901' : size))
    .replace(/startxref\n\d+/, `startxref\n${objects.length}`);
  return Buffer.from(objects + end, 'latin1');
}

/** Changes what the first page draws. */
const onPage = (change: (content: string) => string) => (objects: string) => {
  const [head = '', length = ''] = /\/Length (\d+)\n\/Filter \/FlateDecode\n>>\nstream\n/.exec(objects) ?? [];
  const start = objects.indexOf(head) + head.length;
  const content = inflateSync(Buffer.from(objects.slice(start, start + Number(length)), 'latin1')).toString('latin1');
  const changed = deflateSync(Buffer.from(change(content), 'latin1')).toString('latin1');
  const newHead = head.replace(length, String(changed.length));
  return `${objects.slice(0, start - head.length)}${newHead}${changed}${objects.slice(start + Number(length))}`;
};
const addToPage = (operators: string) => onPage((content) => `${content}\nq ${operators} Q`);
const addToCatalog = (entry: string) => (objects: string) =>
  objects.replace('/Type /Catalog', `/Type /Catalog\n${entry}`);
const image = '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1';
const append = (text: string) => (document: Buffer) => Buffer.concat([document, Buffer.from(text)]);

/** Appends an update, which covers the text of a page by an annotation. */
function drawOver(document: Buffer): Buffer {
  const pdf = document.toString('latin1');
  const [page = '', number = ''] = /^(\d+) 0 obj\n<<\n\/Type \/Page\n.*?endobj\n/ms.exec(pdf) ?? [];
  const [, root = '', before = ''] = /\/Root (\d+ 0 R).*startxref\n(\d+)/s.exec(pdf) ?? [];
  const annotation = `900 0 obj\n<< /Type /Annot /Subtype /FreeText /Rect [200 500 400 600] /Contents (Forged) /DA (/Helv 12 Tf) >>\nendobj\n`;
  const changed = page.replace('/UserUnit 1', '/Annots [900 0 R]');
  const offset = (start: number) => `${String(pdf.length + start).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n${number} 1\n${offset(0)}900 1\n${offset(changed.length)}trailer\n<< /Size 901 /Root ${root} /Prev ${before} >>\n`;
  const start = pdf.length + changed.length + annotation.length;
  return Buffer.from(`${pdf}${changed}${annotation}${table}startxref\n${start}\n%%EOF\n`, 'latin1');
}

/** Replaces the last character of the signature of the file by one that stands for the same bytes. */
function respell(document: Buffer): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const pdf = document.toString('latin1');
  const last = pdf.lastIndexOf('\nstartxref') - 1;
  return Buffer.from(
    `${pdf.slice(0, last)}${alphabet[alphabet.indexOf(pdf[last] ?? '') + 1]}${pdf.slice(last + 1)}`,
    'latin1',
  );
}

/** Changes of a proof after which its facts are still signed, and its text is the same. */
export const forgeries: readonly (readonly [name: string, forge: (document: Buffer) => Buffer])[] = [
  [
    'a picture',
    (document) =>
      rewrite(document, (objects) =>
        addToPage('500 0 0 700 40 40 cm /Forged Do')(objects)
          .replace('/ProcSet', '/XObject << /Forged 900 0 R >>\n/ProcSet')
          .concat(`900 0 obj\n<< /Type /XObject ${image} >>\nstream\n\xff\nendstream\nendobj\n`),
      ),
  ],
  [
    'an inline image',
    (document) => rewrite(document, addToPage('500 0 0 700 40 40 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI')),
  ],
  ['a white rectangle', (document) => rewrite(document, addToPage('1 1 1 rg 0 0 600 850 re f'))],
  [
    'invisible text',
    (document) =>
      rewrite(
        document,
        onPage((content) => content.replaceAll('BT', 'BT\n3 Tr')),
      ),
  ],
  [
    'a script',
    (document) => rewrite(document, addToCatalog('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>')),
  ],
  [
    'an action that opens a page',
    (document) => rewrite(document, addToCatalog('/OpenAction << /S /URI /URI (https://forged.example) >>')),
  ],
  ['an annotation in an update', drawOver],
  ['a repeated end', (document) => append(document.subarray(document.lastIndexOf('startxref')).toString())(document)],
  ['an appended byte', append('\n')],
  ['an appended comment', append('%\n')],
  ['an appended object', append('900 0 obj\n(Forged)\nendobj\n')],
  ['a byte in front', (document) => Buffer.concat([Buffer.from('\n'), document])],
  ['a missing byte', (document) => document.subarray(0, -1)],
  ['another title', (document) => rewrite(document, (objects) => objects.replace('(padron)', '(Forged)'))],
  [
    'streams that are packed anew',
    (document) =>
      rewrite(
        document,
        onPage((content) => `${content}\n`),
      ),
  ],
];

const comment = /%[\w.-]+\n(?=startxref)/;
const replaceIn = (document: Buffer, pattern: RegExp, text: string) =>
  Buffer.from(document.toString('latin1').replace(pattern, text), 'latin1');
const partOf = (document: Buffer, pattern: RegExp): string => pattern.exec(document.toString('latin1'))?.[0] ?? '';
/** Gives a proof the signed facts of another one. */
export const replaceSignedFacts = (document: Buffer, second: Buffer): Buffer =>
  replaceIn(document, /eyJ[\w.-]+/, partOf(second, /eyJ[\w.-]+/));
const notTheFile = 'is not the file that padron made';

/** Changes of the signatures of a proof, with another proof of the same key. */
export const otherSignatures: readonly (readonly [
  name: string,
  message: string,
  forge: (document: Buffer, second: Buffer) => Buffer,
])[] = [
  ['none of the file', notTheFile, (document) => replaceIn(document, comment, '')],
  ['that of the file twice', notTheFile, (document) => replaceIn(document, comment, '$&$&')],
  [
    'that of the file at another place',
    notTheFile,
    (document) => replaceIn(replaceIn(document, comment, ''), /^trailer$/m, `${partOf(document, comment)}trailer`),
  ],
  ['that of another file', notTheFile, (document, second) => replaceIn(document, comment, partOf(second, comment))],
  ['that of its facts', notTheFile, (document) => replaceIn(document, comment, `%${partOf(document, /eyJ[\w.-]+/)}\n`)],
  ['one that is spelt otherwise', 'is damaged or of another kind', respell],
  [
    'facts of another document',
    'was changed at “NSS”: it shows “04159600263”, but “04159600264” was signed',
    replaceSignedFacts,
  ],
  [
    'that of its facts packed, as by programs that save the file again',
    'has no signature of padron, or a program saved it again.',
    (document) => {
      const packed = deflateSync(partOf(document, /eyJ[\w.-]+/)).toString('latin1');
      return rewrite(document, (objects) =>
        objects.replace(
          /\/Length \d+\n>>\nstream\neyJ[\w.-]+/,
          `/Length ${packed.length}\n/Filter /FlateDecode\n>>\nstream\n${packed}`,
        ),
      );
    },
  ],
  [
    'that of the file in place of its facts',
    'is damaged or of another kind',
    (document) => replaceIn(document, /eyJ[\w.-]+/, partOf(document, comment).slice(1, -1)),
  ],
];
