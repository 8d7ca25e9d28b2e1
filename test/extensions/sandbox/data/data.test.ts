import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { allEmployers, allPeople } from '../../../../src/extensions/sandbox/test-cards/directory';
import { checkCurp, checkEmployerRegistration, checkNss, checkRfc } from '../../../../src/identifiers/subjects';

describe('the identifiers', () => {
  it("all follow the rules of padron, which share no code with the sandbox's", () => {
    const violations = [
      ...allPeople.flatMap(({ curp, nss, rfc }) => [checkCurp(curp), checkNss(nss), checkRfc(rfc)]),
      ...allEmployers.flatMap(({ registration, rfc }) => [checkEmployerRegistration(registration), checkRfc(rfc)]),
    ];
    expect(violations.filter((violation) => violation !== null)).toEqual([]);
    expect(employers.filter(({ rfc, kind }) => rfc.length !== (kind === 'MORAL' ? 12 : 13))).toEqual([]);
  });

  it('are unique', () => {
    const kinds = [
      allPeople.map(({ curp }) => curp),
      allPeople.map(({ nss }) => nss),
      allPeople.map(({ rfc }) => rfc),
      allPeople.flatMap(({ licences }) => licences.map(({ number }) => number.replace(/^0+/, ''))),
      allPeople.flatMap(({ certificate }) => certificate?.folio ?? []),
      allEmployers.map(({ registration }) => registration),
      allEmployers.map(({ obligatedSubjectId }) => obligatedSubjectId),
    ];
    expect(kinds.filter((kind) => new Set(kind).size !== kind.length)).toEqual([]);
  });
});

describe('the people', () => {
  const fullName = (person: (typeof people)[number]) =>
    `${person.names} ${person.paternalSurname} ${person.maternalSurname}`;

  it('are at least 200, with at least 40 employers', () => {
    expect([people.length >= 200, employers.length >= 40]).toEqual([true, true]);
  });

  it.each<[string, (person: (typeof people)[number]) => unknown]>([
    ['a social security number with a leading zero', ({ nss }) => nss.startsWith('0')],
    ['a birth in this century', ({ birthDate, curp }) => birthDate >= '2000' && /[A-Z]/.test(curp.charAt(16))],
    ['an Ñ in the surname', ({ paternalSurname }) => paternalSurname.includes('Ñ')],
    ['an Ñ in the taxpayer code', ({ rfc }) => rfc.includes('Ñ')],
    ['an accent', ({ names }) => /[ÁÉÍÓÚ]/.test(names)],
    ['one surname', ({ maternalSurname }) => maternalSurname === ''],
    ['an X for the sex in the CURP', ({ curp }) => curp.charAt(10) === 'X'],
    ['a birth abroad', ({ curp }) => curp.slice(11, 13) === 'NE'],
    ['no credit, answered as null', ({ credit }) => credit === null],
    ['no credit, answered as an empty text', ({ credit }) => credit === ''],
    ['a closed credit', ({ credit }) => credit && credit.closedOn !== ''],
    ['no sub-account', ({ account }) => account === null],
    ['a blank before a balance', ({ account }) => account?.leadingBlank],
    ['no licence', ({ licences }) => licences.length === 0],
    ['two licences', ({ licences }) => licences.length === 2],
    ['a licence number with leading zeros', ({ licences }) => licences[0]?.number.startsWith('0')],
    ['no certificate', ({ certificate }) => certificate === null],
    ['a death', ({ alive }) => !alive],
  ])('some have %s', (_, fits) => {
    expect(people.filter(fits).length).toBeGreaterThan(0);
    expect(people.filter(fits).length).toBeLessThan(people.length);
  });

  it('include homonyms with different CURPs, both with a licence', () => {
    const graduates = people.filter(({ licences }) => licences.length > 0);
    const homonyms = graduates.filter((graduate) =>
      graduates.some((candidate) => candidate !== graduate && fullName(candidate) === fullName(graduate)),
    );
    expect(homonyms.length).toBeGreaterThan(4);
  });
});
