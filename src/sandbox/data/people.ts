import { type Credit, type HousingAccount, makeCredit, makeHousingAccount } from './housing';
import { luhnDigit } from './identifiers';
import { mensNames, surnames, womensNames } from './names';
import { type Birth, curpOf, personRfc } from './person-codes';
import { type Draw, drawFrom } from './random';
import { ABROAD, type State, states } from './states';
import { type Licence, makeLicence, makeStudyCertificate, type StudyCertificate } from './studies';

/** What all registries together hold on one invented person. */
export interface Person {
  readonly curp: string;
  readonly nss: string;
  readonly rfc: string;
  readonly names: string;
  readonly paternalSurname: string;
  /** '' for those who have one surname. */
  readonly maternalSurname: string;
  readonly sex: 'HOMBRE' | 'MUJER';
  readonly birthDate: string;
  readonly birthState: State;
  readonly alive: boolean;
  readonly actNumber: number;
  readonly email: string;
  readonly phone: string;
  /** null: none, told as null by the fund; '': none, told as an empty text. */
  readonly credit: Credit | null | '';
  readonly account: HousingAccount | null;
  readonly licences: readonly Licence[];
  readonly certificate: StudyCertificate | null;
}

/** What is fixed about a person before the rest is drawn. */
export interface PersonSketch extends Omit<Birth, 'stateCode'> {
  readonly serial: number;
  readonly state: State;
  readonly subDelegation: string;
  readonly credit: 'active' | null | '';
  readonly hasAccount: boolean;
  readonly licences: number;
  readonly hasCertificate: boolean;
}

const COUNT = 220;

function makeNss(draw: Draw, sketch: PersonSketch, birthYear: number): string {
  const registered = Math.min(birthYear + 19, 2024) % 100;
  const years = String(registered).padStart(2, '0') + String(birthYear % 100).padStart(2, '0');
  const body =
    sketch.subDelegation + years + String((sketch.serial * 17 + draw.integer(0, 16)) % 10_000).padStart(4, '0');
  return body + luhnDigit(body);
}

export function makePerson(sketch: PersonSketch): Person {
  const draw = drawFrom(`person ${sketch.serial}`);
  const birthYear = Number(sketch.birthDate.slice(0, 4));
  const birth: Birth = { ...sketch, stateCode: sketch.state.code };
  return {
    curp: curpOf(birth),
    nss: makeNss(draw, sketch, birthYear),
    rfc: personRfc(birth, draw),
    names: sketch.names,
    paternalSurname: sketch.paternalSurname,
    maternalSurname: sketch.maternalSurname,
    sex: sketch.sexLetter === 'H' ? 'HOMBRE' : 'MUJER',
    birthDate: sketch.birthDate,
    birthState: sketch.state,
    alive: sketch.serial % 37 !== 36,
    actNumber: draw.integer(1, 4000),
    email: `persona${sketch.serial}@correo.example`,
    phone: `55${draw.digits(8)}`,
    credit: sketch.credit === 'active' ? makeCredit(draw, Math.max(2000, birthYear + 18)) : sketch.credit,
    account: sketch.hasAccount ? makeHousingAccount(draw, birthYear) : null,
    licences: Array.from({ length: sketch.licences }, (_, order) =>
      makeLicence(draw, sketch.serial * 2 + order, birthYear, order),
    ),
    certificate: sketch.hasCertificate ? makeStudyCertificate(draw, sketch.serial, birthYear) : null,
  };
}

function creditOf(index: number): 'active' | null | '' {
  if (index % 5 !== 0) return 'active';
  return index % 10 === 0 ? null : '';
}

function licencesOf(index: number): number {
  if (index % 4 === 3) return 0;
  return index % 7 === 2 ? 2 : 1;
}

function birthDateOf(draw: Draw, index: number): string {
  const year = index % 9 === 4 ? draw.integer(2000, 2004) : draw.integer(1950, 1999);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(draw.integer(1, 12))}-${two(draw.integer(1, 28))}`;
}

/**
 * Every 15th person is a homonym of the one before: the same full name, another birth. Every 20th has the surnames of the
 * one before and one name more: the search that is not exact finds both.
 */
function sketchOf(index: number): PersonSketch {
  const longer = index % 20 === 17;
  const draw = drawFrom(`sketch ${index % 15 === 14 || longer ? index - 1 : index}`);
  const woman = draw.oneIn(2);
  const names = draw.pick(woman ? womensNames : mensNames);
  const named = {
    names: longer ? `${names} ${woman ? 'ISABEL' : 'ALBERTO'}` : names,
    paternalSurname: draw.pick(surnames),
    maternalSurname: draw.pick(surnames),
  };
  const own = drawFrom(`sketch of ${index}`);
  return {
    ...named,
    maternalSurname: index % 13 === 5 ? '' : named.maternalSurname,
    serial: index,
    birthDate: birthDateOf(own, index),
    sexLetter: index === 7 ? 'X' : woman ? 'M' : 'H',
    state: index % 40 === 8 ? ABROAD : own.pick(states),
    subDelegation: index % 6 === 1 ? own.pick(['01', '03', '04', '06', '07', '09']) : String(own.integer(10, 92)),
    credit: creditOf(index),
    hasAccount: index % 17 !== 16,
    licences: licencesOf(index),
    hasCertificate: index % 3 !== 2,
  };
}

/** Everybody without a part in a test card. */
export const people: readonly Person[] = Array.from({ length: COUNT }, (_, index) => makePerson(sketchOf(index)));
