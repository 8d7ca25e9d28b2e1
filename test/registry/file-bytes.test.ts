import { hasEnd } from '../../src/registry/file-bytes';

const declaration = '<?xml version="1.0"?>';

describe('the end of a file', () => {
  it.each([
    ['a declaration', `${declaration}<a><b/></a>`],
    ['a byte order mark', `\uFEFF${declaration}\n<a></a>`],
    [
      'comments and instructions that look like elements',
      `${declaration}<!-- <x> --><?y <z> ?><ns:a k="1"><b/></ns:a>`,
    ],
    ['a document type', `${declaration}<!DOCTYPE a [<!ENTITY e "f"><!ELEMENT a ANY>]><a>&e;</a>`],
    ['an empty root', `${declaration}<ns:a k="x > y"/>`],
    ['blanks in its last tag', `${declaration}<a><b></b></a  >`],
    ['children whose names begin like that of the root', `${declaration}<a><ab></ab></a>`],
    ['letters outside ASCII', `${declaration}<ñandú><b/></ñandú>`],
  ])('is found in an XML with %s, and in no shorter part of it', (_, text) => {
    const bytes = Buffer.from(text);
    expect(hasEnd(bytes)).toBe(true);
    const whole = Array.from(bytes.keys()).filter((length) => hasEnd(bytes.subarray(0, length)));
    expect(whole).toEqual([]);
  });

  it('may be followed by blanks, comments or zeros', () => {
    for (const rest of ['\r\n', '<!-- end -->\n', '\0\0']) expect(hasEnd(Buffer.from(`<n:a></n:a>${rest}`))).toBe(true);
  });

  it('is found in a PDF with up to a kilobyte after its last mark', () => {
    const pdf = '%PDF-1.7\nstartxref\n1\n%%EOF';
    expect(hasEnd(Buffer.from(pdf + '\n'.repeat(1_000)))).toBe(true);
    expect(hasEnd(Buffer.from(pdf + '\n'.repeat(1_024)))).toBe(false);
    expect(hasEnd(Buffer.from(pdf.slice(0, -1)))).toBe(false);
  });

  it('is looked for without backtracking, so that hostile bytes do not block the process', () => {
    const hostile = Buffer.from(`${declaration}${'<?x?><!-- - --'.repeat(500_000)}`);
    expect(hasEnd(hostile)).toBe(false);
  });
});
