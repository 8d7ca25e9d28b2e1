import { employers } from '../../../src/sandbox/data/employers';
import { people } from '../../../src/sandbox/data/people';
import { allEmployers, allPeople } from '../../../src/sandbox/test-cards/directory';

// Check digits once more, written apart from the sandbox's own.
const CURP_VALUES = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
const RFC_VALUES = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

function weightedSum(text: string, values: string, first: number): number {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) sum += values.indexOf(text.charAt(i)) * (first - i);
  return sum;
}

function luhnHolds(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : Math.floor(doubled / 10) + (doubled % 10);
  }
  return sum % 10 === 0;
}

function isValidRfc(rfc: string): boolean {
  const text = rfc.length === 12 ? ` ${rfc}` : rfc;
  const sum = weightedSum(text.slice(0, 12), RFC_VALUES, 13);
  return ['0', 'A', '9', '8', '7', '6', '5', '4', '3', '2', '1'][sum % 11] === text.charAt(12);
}

const isValidCurp = (curp: string): boolean =>
  (weightedSum(curp.slice(0, 17), CURP_VALUES, 18) + Number(curp.charAt(17))) % 10 === 0;
const isValidRegistration = (registration: string): boolean =>
  luhnHolds(registration.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)));

describe('the identifiers', () => {
  it('are checked: valid and invalid ones are distinguished', () => {
    expect(['KAHO641101HNTLKS06', 'KAHO641101HNTLKS07'].map(isValidCurp)).toEqual([true, false]);
    expect(['84966311213', '84966311214'].map(luhnHolds)).toEqual([true, false]);
    expect(['EKU9003173C9', 'CACX7605101P8', 'CACX7605101P7'].map(isValidRfc)).toEqual([true, true, false]);
    expect(['Y6099999101', 'Y6099999102'].map(isValidRegistration)).toEqual([true, false]);
  });

  it('all pass their check digits', () => {
    const wrong = [
      ...allPeople.filter(({ curp, nss, rfc }) => !isValidCurp(curp) || !luhnHolds(nss) || !isValidRfc(rfc)),
      ...allEmployers.filter(({ registration, rfc }) => !isValidRegistration(registration) || !isValidRfc(rfc)),
    ];
    expect(wrong).toEqual([]);
  });

  it('all have the right format', () => {
    const curp = /^[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[0-9A-Z]\d$/;
    const malformed = allPeople.filter(
      (person) =>
        !curp.test(person.curp) ||
        !/^\d{11}$/.test(person.nss) ||
        !/^[A-ZÑ&]{4}\d{6}[A-Z0-9]{2}[0-9A]$/.test(person.rfc),
    );
    expect(malformed).toEqual([]);
    expect(allEmployers.filter(({ registration }) => !/^[A-Z]\d{10}$/.test(registration))).toEqual([]);
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
