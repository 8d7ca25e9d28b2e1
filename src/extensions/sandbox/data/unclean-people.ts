import { makePerson, type SandboxPerson } from './people';
import { type Birth, makeCurp } from './person-codes';
import { states } from './states';

/** Values of a registry that differ from those of the other registries. */
type Deviation = Partial<Pick<SandboxPerson, 'names' | 'paternalSurname' | 'maternalSurname' | 'curp'>>;

/** Text about a person in the explorer. */
export interface About {
  readonly english: string;
  readonly spanish: string;
}

interface Row {
  readonly birth: readonly [names: string, paternal: string, maternal: string, date: string, sex: 'H' | 'M'];
  readonly about: About;
  readonly fund?: Deviation;
  readonly ministry?: Deviation;
  /** Date of birth in the CURP that was replaced. The fund and the ministry still have that CURP. */
  readonly oldBirthDate?: string;
  readonly hasLicenceWithoutCurp?: boolean;
}

const say = (english: string, spanish: string): About => ({ english, spanish });

/** The people, with the values of a registry that differ from those of the other registries. */
const rows = {
  lostEnye: {
    birth: ['BLANCA ESTELA', 'MUÑOZ', 'ARRIAGA', '1984-03-17', 'M'],
    fund: { paternalSurname: 'MU#OZ' },
    about: say('the housing fund writes MU#OZ for MUÑOZ', 'el Infonavit escribe MU#OZ en vez de MUÑOZ'),
  },
  abbreviated: {
    birth: ['MARÍA GRISELDA', 'IZAGUIRRE', 'SALDÍVAR', '1979-11-02', 'M'],
    fund: { names: 'MA. GRISELDA' },
    about: say('the housing fund writes MA. for MARÍA', 'el Infonavit escribe MA. en vez de MARÍA'),
  },
  replacedCurp: {
    birth: ['RENATA', 'OLVERA', 'TAMAYO', '1990-08-21', 'M'],
    oldBirthDate: '1990-08-12',
    about: say(
      'the CURP was replaced: the housing fund and the education ministry have the old one',
      'su CURP se reemplazó: el Infonavit y la SEP tienen la anterior',
    ),
  },
  noSecondSurname: {
    birth: ['NORMA', 'BETANCOURT', '', '1972-01-30', 'M'],
    fund: { maternalSurname: 'X' },
    about: say('has no second surname: the housing fund writes X', 'no tiene segundo apellido: el Infonavit escribe X'),
  },
  withHomonym: {
    birth: ['LORENZO', 'BUSTAMANTE', 'OROZCO', '1968-06-09', 'H'],
    about: say(
      'has a homonym; the licence of this one has the CURP',
      'tiene un homónimo; la cédula de este trae la CURP',
    ),
  },
  homonym: {
    birth: ['LORENZO', 'BUSTAMANTE', 'OROZCO', '1987-04-25', 'H'],
    hasLicenceWithoutCurp: true,
    about: say(
      'has a homonym; the licence of this one has no CURP',
      'tiene un homónimo; la cédula de este no trae la CURP',
    ),
  },
  otherSpelling: {
    birth: ['ARMANDO', 'VILLALOBOS', 'CERVANTES', '1981-02-14', 'H'],
    ministry: { names: 'ARMANDO DE JESÚS' },
    about: say(
      'the licence has the same CURP, but the name ARMANDO DE JESÚS',
      'su cédula trae la misma CURP, pero el nombre ARMANDO DE JESÚS',
    ),
  },
  brother: {
    birth: ['ARTURO', 'VILLALOBOS', 'CERVANTES', '1983-09-05', 'H'],
    about: say(
      'the brother of Armando: same surnames, and same letters at the start of the CURP',
      'el hermano de Armando: mismos apellidos y mismas letras al inicio de la CURP',
    ),
  },
} as const satisfies Readonly<Record<string, Row>>;

/** A person whom the registries do not write alike, as it happens in Mexico. */
export interface UncleanPerson {
  readonly person: SandboxPerson;
  readonly about: About;
  readonly fund: Deviation;
  readonly ministry: Deviation;
}

const FIRST_PERSON = 2000;

function makeUncleanPerson({ birth, about, fund, ministry, ...row }: Row, index: number): UncleanPerson {
  const [names, paternalSurname, maternalSurname, birthDate, sexLetter] = birth;
  const state = states[index];
  if (state === undefined) throw new RangeError('There are more people than states.');
  const born: Birth = { names, paternalSurname, maternalSurname, birthDate, sexLetter, stateCode: state.code };
  const person = makePerson({
    ...born,
    serial: FIRST_PERSON + index,
    state,
    subDelegation: String(20 + index),
    credit: 'active',
    hasAccount: true,
    licences: 1,
    hasCertificate: true,
  });
  const licences = person.licences.map((licence) => ({ ...licence, showsCurp: !row.hasLicenceWithoutCurp }));
  const unclean = { person: { ...person, licences }, about, fund: { ...fund }, ministry: { ...ministry } };
  if (row.oldBirthDate === undefined) return unclean;
  const curp = makeCurp({ ...born, birthDate: row.oldBirthDate });
  return { about, person: { ...unclean.person, replacedCurp: curp }, fund: { curp }, ministry: { curp } };
}

export const uncleanPeople = Object.fromEntries(
  Object.entries(rows).map(([name, row], index) => [name, makeUncleanPerson(row, index)]),
) as Readonly<Record<keyof typeof rows, UncleanPerson>>;
