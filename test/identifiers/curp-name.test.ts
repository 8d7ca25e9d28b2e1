import { people } from '../../src/extensions/sandbox/data/people';
import { makeCurp } from '../../src/extensions/sandbox/data/person-codes';
import { testPersonas } from '../../src/extensions/sandbox/test-cards/personas';
import { doesNameFitCurp } from '../../src/identifiers/names';
import { givenNames, surnames } from '../support/names/frequent-names';

/** Whether a name fits a CURP with these letters: the first four, and the three consonants. */
const fits = (names: string, paternalSurname: string, maternalSurname: string | null, letters: string): boolean =>
  doesNameFitCurp({ names, paternalSurname, maternalSurname }, `${letters.slice(0, 4)}800101HDF${letters.slice(5)}09`);

describe('a name fits its CURP', () => {
  // Most rows are the examples of the instructions of the population registry (DOF, 18 October 2021).
  it.each([
    ['an ordinary name', 'RICARDO', 'ALAMÁN', 'PÉREZ', 'AAPR LRC'],
    ['small letters without accents', 'ricardo', 'alaman', 'perez', 'AAPR LRC'],
    ['an Ñ at the beginning', 'ALBERTO', 'ÑANDO', 'RODRÍGUEZ', 'XARA NDL'],
    ['an Ñ inside', 'LUZ', 'LÓPEZ', 'PIÑA', 'LOPL PXZ'],
    ['an Ñ that the caller wrote as N', 'LUZ', 'LOPEZ', 'PINA', 'LOPL PXZ'],
    ['an Ñ that the registry wrote as N', 'LUZ', 'NUÑEZ', 'ÑAÑEZ', 'NUNL NNZ'],
    ['an Ñ, decomposed', 'LUZ', 'LÓPEZ', 'PIÑA'.normalize('NFD'), 'LOPL PXZ'],
    ['a diaeresis', 'MARIO', 'AGÜERO', 'DÍAZ', 'AUDM GZR'],
    ['María before another name', 'MARÍA LUISA', 'PÉREZ', 'HERNÁNDEZ', 'PEHL RRS'],
    ['José before another name', 'JOSÉ CARLOS', 'AHUMADA', 'RUIZ', 'AURC HZR'],
    ['MA. before another name', 'MA. ELENA', 'LÓPEZ', 'RUIZ', 'LORE PZL'],
    ['MA before another name', 'MA ELENA', 'LÓPEZ', 'RUIZ', 'LORE PZL'],
    ['Mª before another name', 'Mª ELENA', 'LÓPEZ', 'RUIZ', 'LORE PZL'],
    ['M. before another name', 'M. ELENA', 'LÓPEZ', 'RUIZ', 'LORE PZL'],
    ['J. before another name', 'J. JESÚS', 'LÓPEZ', 'RUIZ', 'LORJ PZS'],
    ['María with particles', 'MARÍA DE LOS ÁNGELES', 'LÓPEZ', 'RUIZ', 'LORA PZN'],
    ['MA. with a particle', 'MA. DEL PILAR', 'LÓPEZ', 'RUIZ', 'LORP PZL'],
    ['María alone', 'MARÍA', 'LÓPEZ', 'RUIZ', 'LORM PZR'],
    ['José alone', 'JOSÉ', 'LÓPEZ', 'RUIZ', 'LORJ PZS'],
    ['José María', 'JOSÉ MARÍA', 'LÓPEZ', 'RUIZ', 'LORM PZR'],
    ['María José', 'MARÍA JOSÉ', 'LÓPEZ', 'RUIZ', 'LORJ PZS'],
    ['María in second place', 'ANA MARÍA', 'LÓPEZ', 'RUIZ', 'LORA PZN'],
    ['María, whose second name the caller left out', 'MARÍA', 'LÓPEZ', 'RUIZ', 'LORF PZR'],
    ['a second name, without María', 'FERNANDA', 'LÓPEZ', 'RUIZ', 'LORF PZR'],
    ['names in another order', 'ENRIQUE LUIS', 'ROMERO', 'PALAZUELOS', 'ROPL MLS'],
    ['an abbreviated name', 'GPE.', 'LÓPEZ', 'RUIZ', 'LORG PZD'],
    ['an abbreviated name without a dot', 'FCO JAVIER', 'LÓPEZ', 'RUIZ', 'LORF PZR'],
    ['an abbreviated surname', 'ANA', 'HDZ', 'GLEZ', 'HEGA RNN'],
    ['no second surname', 'ALEJANDRO', 'RAMOS', null, 'RAXA MXL'],
    ['an empty second surname', 'ALEJANDRO', 'RAMOS', '', 'RAXA MXL'],
    ['a second surname written as X', 'ALEJANDRO', 'RAMOS', 'X', 'RAXA MXL'],
    ['a second surname written as a dash', 'ALEJANDRO', 'RAMOS', '-', 'RAMA MRL'],
    ['a second surname written as N/A', 'ALEJANDRO', 'RAMOS', 'N/A', 'RAMA MRL'],
    ['a second surname that the caller left out', 'ALEJANDRO', 'RAMOS', null, 'RAMA MRL'],
    ['a second surname that the registry does not have', 'ALEJANDRO', 'RAMOS', 'MORA', 'RAXA MXL'],
    ['surnames in one field', 'ALEJANDRO', 'RAMOS MORA', null, 'RAMA MRL'],
    ['a surname by marriage', 'ALEJANDRA', 'RAMOS', 'VDA. DE RUIZ', 'RAMA MRL'],
    ['a surname by marriage after the own one', 'ALEJANDRA', 'RAMOS', 'MORA DE RUIZ', 'RAMA MRL'],
    ['a surname with a particle', 'SILVERIA', 'DE LA CRUZ', 'DE LOS SANTOS', 'CUSS RNL'],
    ['a surname without its particle', 'SILVERIA', 'CRUZ', 'SANTOS', 'CUSS RNL'],
    ['a particle with two words', 'CARLOS', 'MC GREGOR', 'LÓPEZ', 'GELC RPR'],
    ['a particle in one word', 'CARLOS', 'MCGREGOR', 'LÓPEZ', 'GELC RPR'],
    ['MAC in one word', 'CARLOS', 'MACGREGOR', 'LÓPEZ', 'GELC RPR'],
    ['a surname that only begins with MAC', 'CARLOS', 'MACÍAS', 'LÓPEZ', 'MALC CPR'],
    ['von', 'KLAUS', 'VON DER HEYDE', 'LÓPEZ', 'HELK YPL'],
    ['van', 'KLAUS', 'LÓPEZ', 'VAN DAM', 'LODK PML'],
    ['y', 'KLAUS', 'DÍAZ', 'Y LÓPEZ', 'DILK ZPL'],
    ['a compound surname', 'ROCÍO', 'RIVA PALACIO', 'CRUZ', 'RICR VRC'],
    ['a compound surname without its second word', 'ROCÍO', 'RIVA', 'CRUZ', 'RICR VRC'],
    ['a surname of two words', 'EMMA', 'LÓPEZ', 'DON JUAN', 'LODE PNM'],
    ['a hyphen', 'ANA', 'PÉREZ-GIL', 'CRUZ', 'PECA RRN'],
    ['a slash', 'JUAN JOSÉ', 'D/AMICO', 'ÁLVAREZ', 'DXAJ XLN'],
    ['an apostrophe', 'JUAN', 'D’ÁVILA', 'ÁLVAREZ', 'DXAJ XLN'],
    ['an apostrophe that was left out', 'JUAN', "D'ÁVILA", 'ÁLVAREZ', 'DAAJ VLN'],
    ['a blank instead of an apostrophe', 'ROSA', "O'RELLY", 'ALVARADO', 'OXAR XLS'],
    ['a dot', 'ROSA', 'O. RELLY', 'ALVARADO', 'OXAR XLS'],
    ['no vowel inside', 'ANDRÉS', 'ICH', 'RODRÍGUEZ', 'IXRA CDN'],
    ['no consonant inside', 'NOÉ', 'RÍO', 'OY', 'RION XYX'],
    ['one letter', 'A', 'O', 'Ñ', 'OXXA XXX'],
    ['an inconvenient word', 'ANTONIO', 'PUENTES', 'TORRES', 'PXTA NRN'],
    ['an inconvenient word that was not masked', 'ANTONIO', 'PUENTES', 'TORRES', 'PUTA NRN'],
    ['CH in the given name', 'CHRISTIAN', 'LÓPEZ', 'RUIZ', 'LORC PZH'],
    ['CH, which is two letters', 'ANA', 'CHÁVEZ', 'RUIZ', 'CARA HZN'],
    ['LL, which is two letters', 'ANA', 'LLAMAS', 'RUIZ', 'LARA LZN'],
    ['a cedilla', 'FRANÇOIS', 'LÓPEZ', 'RUIZ', 'LORF PZR'],
    ['another script', '李', 'Иванов', 'Ø', 'LORF PZR'],
  ])('with %s', (_what, names, paternalSurname, maternalSurname, letters) => {
    expect(fits(names, paternalSurname, maternalSurname, letters)).toBe(true);
  });

  it('for all people of the sandbox', () => {
    const all = [...people, ...testPersonas.map(({ person }) => person)];
    expect(all.length).toBeGreaterThan(220);
    expect(all.filter((person) => !doesNameFitCurp(person, person.curp))).toEqual([]);
  });

  it('for the most frequent names and surnames', () => {
    const born = { birthDate: '1980-01-01', sexLetter: 'M', stateCode: 'DF' } as const;
    const named = [
      ...givenNames,
      ...givenNames.map((name) => `MARÍA ${name}`),
      ...givenNames.map((name) => `JOSÉ ${name}`),
    ];
    const cases = named.flatMap((names, index) =>
      [1, 7, 31].map((step) => ({
        names,
        paternalSurname: surnames[index % surnames.length] ?? '',
        maternalSurname: surnames[(index + step) % surnames.length] ?? '',
      })),
    );
    expect(cases).toHaveLength(1_800);
    expect(cases.filter((name) => !doesNameFitCurp(name, makeCurp({ ...name, ...born })))).toEqual([]);
  });

  it.each(['', 'X', 'MUMC530509', 'MUMC5305O9MNLXRL02'])('if %j is not a CURP', (curp) => {
    expect(doesNameFitCurp({ names: 'ANA', paternalSurname: 'RUIZ', maternalSurname: null }, curp)).toBe(true);
  });
});

describe('a name does not fit the CURP of another person', () => {
  it.each([
    ['a brother', 'PEDRO', 'ALAMÁN', 'PÉREZ'],
    ['a brother whose name begins like this one', 'RODOLFO', 'ALAMÁN', 'PÉREZ'],
    ['a sister with María', 'MARÍA LUISA', 'ALAMÁN', 'PÉREZ'],
    ['another surname', 'RICARDO', 'ROMÁN', 'PÉREZ'],
    ['another vowel of the surname', 'RICARDO', 'ÁLVAREZ ELIZONDO', 'LUNA'],
    ['another second surname', 'RICARDO', 'ALAMÁN', 'PINEDA'],
    ['surnames in the wrong order', 'RICARDO', 'PÉREZ', 'ALAMÁN'],
  ])('%s', (_what, names, paternalSurname, maternalSurname) => {
    expect(fits(names, paternalSurname, maternalSurname, 'AAPR LRC')).toBe(false);
  });

  it('for nearly all pairs of people of the sandbox', () => {
    const pairs = people.flatMap((person) =>
      people.filter(({ curp }) => curp !== person.curp).map((second) => ({ person, second })),
    );
    const fitting = pairs.filter(({ person, second }) => doesNameFitCurp(person, second.curp));
    expect(fitting.length / pairs.length).toBeLessThan(0.01);
  });

  it('for most brothers', () => {
    const brothers = givenNames.flatMap((name) =>
      givenNames.filter((second) => second !== name).map((second) => ({ name, second })),
    );
    const family = { paternalSurname: 'MUÑOZ', maternalSurname: 'MORALES' };
    const born = { birthDate: '1980-01-01', sexLetter: 'M', stateCode: 'DF' } as const;
    const curps = new Map(givenNames.map((names) => [names, makeCurp({ names, ...family, ...born })]));
    const fitting = brothers.filter(({ name, second }) =>
      doesNameFitCurp({ names: name, ...family }, curps.get(second) ?? ''),
    );
    expect(fitting.length / brothers.length).toBeLessThan(0.05);
  });
});
