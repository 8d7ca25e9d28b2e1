import { people } from '../../src/extensions/sandbox/data/people';
import { cleanName } from '../../src/identifiers/normalise';
import { checkName } from '../../src/identifiers/subjects';
import type { RuleViolation } from '../../src/identifiers/violation';
import { givenNames, surnames } from '../support/names/frequent-names';

/** Checks a name as callers write it. */
const check = (name: string): RuleViolation | null => checkName(cleanName(name));

/** Returns what a program reads that takes the bytes of UTF-8 for those of another encoding. */
const misread = (name: string, encoding: string): string => new TextDecoder(encoding).decode(Buffer.from(name));

const unusualNames = [
  ...["O'FARRILL", 'O’FARRILL', 'O‘FARRILL', 'O´FARRILL', 'O`FARRILL', "D'ÁVILA", 'D’ÁVILA', 'D/AMICO', 'O. RELLING'],
  ...[
    'MARÍA DE LOS ÁNGELES',
    'MA.',
    'M.ª',
    'Mª',
    'M° DEL CARMEN',
    'Mª JOSÉ',
    'J. JESÚS',
    'JUAN, JR.',
    'PÉREZ-GIL',
    'PÉREZ – GIL',
  ],
  ...[
    'VDA. DE PÉREZ',
    'FRANCISCO "PACO"',
    'MARÍA (MARY)',
    'A',
    'Ñ',
    'Ü',
    'Ç',
    'O',
    'ÑAÑEZ',
    'AGÜERO',
    'GÜITRÓN',
    'FRANÇOIS',
    'ß',
  ],
  ...[
    'JOÃO',
    'GUIMARÃES',
    'MAGALHÃES',
    'ROMÃ',
    'ÂNGELA',
    'CÂMARA',
    'COL·LELL',
    'ŁUKASZ',
    'DVOŘÁK',
    'ŠKODA',
    'ŽIŽEK',
    'GUÐMUNDUR',
  ],
  ...['李', 'Ольга', 'محمد', 'Ngô Thị Ánh', 'Ŵ', 'A'.repeat(60), 'Ñ'.repeat(60), 'MARÍA '.repeat(10)],
];

describe('a name that people have', () => {
  const registered = people.flatMap(({ names, paternalSurname, maternalSurname }) => [
    names,
    paternalSurname,
    ...(maternalSurname === '' ? [] : [maternalSurname]),
  ]);
  const names = [...new Set([...givenNames, ...surnames, ...unusualNames, ...registered])];
  const spellings = names.flatMap((name) => [
    ...[name, name.toLowerCase(), name.normalize('NFD'), name.toLowerCase().normalize('NFD')],
  ]);

  it('passes, composed and decomposed, in capitals and not', () => {
    expect(spellings.length).toBeGreaterThan(1_800);
    expect(spellings.filter((name) => check(name) !== null)).toEqual([]);
  });

  it('does not pass if a program read its UTF-8 as something else', () => {
    const accented = [...givenNames, ...surnames].filter((name) => /[^\x20-\x7e]/.test(name));
    const encodings = ['latin1', 'macintosh', 'ibm866'];
    const capitals = accented.flatMap((name) => encodings.map((encoding) => misread(name, encoding)));
    const lowercase = accented.map((name) => misread(name.toLowerCase(), 'latin1'));
    const again = lowercase.flatMap((name) => [name.toUpperCase(), name.toLowerCase(), misread(name, 'latin1')]);
    const all = [...capitals, ...lowercase, ...again];
    expect(all.length).toBeGreaterThan(600);
    expect(all.filter((name) => check(name) === null)).toEqual([]);
  });
});

describe('what cannot be a name', () => {
  it.each([
    ['a lost Ñ', 'MU?OZ', '`?`'],
    ['an Ñ of the housing fund', 'MU#OZ', '`#`'],
    ['an Ñ as an at sign', 'MU@OZ', '`@`'],
    ['an Ñ of MS-DOS', 'MU¥OZ', '`¥`'],
    ['an ñ of MS-DOS', 'mu¤oz', '`¤`'],
    ['an Ñ of a Mac', 'MU„OZ', '`„`'],
    ['an É of a Mac', 'ANDRƒS', '`ƒ`'],
    ['an Ñ that a database replaced', 'MU¿OZ', '`¿`'],
    ['an Ñ of a certificate', 'MUN~OZ', '`~`'],
    ['a tag', 'MU<b>OZ', '`<`'],
    ['the code of an address', 'MU%C3%91OZ', '`%`'],
    ['quoted-printable text', 'MU=C3=91OZ', '`=`'],
    ['a named entity', 'P&Eacute;REZ', '`&…;`'],
    ['an escaped ampersand', 'PEÑA &amp; HIJOS', '`&…;`'],
    ['a numbered entity', 'P&#201;REZ', '`&…;`'],
    ['an escape of JSON', 'P\\u00c9REZ', '`\\`'],
    ['UTF-8 as Windows-1252', 'MUÃ‘OZ', '`Ã‘`'],
    ['UTF-8 as Latin-1, in lower case', 'muã±oz', '`ã±`'],
    ['an í whose second half is invisible', 'MarÃ\u00ada', '`Ã'],
    ['an ª with the byte before it', 'MÂª', '`Âª`'],
    ['UTF-8 as MacRoman', 'MU√ëOZ', '`√`'],
    ['UTF-8 as CP850', 'MU├æOZ', '`├`'],
  ])('is refused, and the caller learns what is there and what to do: %s', (_what, name, found) => {
    expect(check(name)).toEqual({
      code: 'INVALID_FORMAT',
      message: expect.stringMatching(/^A part of a name has `.*did not write UTF-8/),
      spanish: expect.stringMatching(/^Una parte del nombre tiene `.*no escribió UTF-8/),
    });
    expect(check(name)?.message).toContain(found);
    expect(check(name)?.message).not.toContain(name);
  });

  it.each(['MU\ufffdOZ', 'MU\ud83dOZ', 'MU\udcd1OZ'])('is refused if a character is lost: %j', (name) => {
    expect(check(name)?.message).toMatch(/damaged before it was sent.*UTF-8/);
  });

  it.each(['CLAUD1A', 'JUAN 2', '12345678901', 'Ⅱ', 'JOSÉ ²', '٣'])('is refused if it has a digit: %s', (name) => {
    expect(check(name)).toMatchObject({ code: 'INVALID_FORMAT', message: expect.stringContaining('has a digit') });
  });
});
