import { luhnCheckDigit } from './identifiers';
import { type Birth, makeCurp, makePersonRfc } from './person-codes';
import { type SeededRandom, seededRandom } from './random';
import { ABROAD, type State, states } from './states';
import { type Licence, makeLicence, makeStudyCertificate, type SandboxCertificate } from './studies';

/** Women's names as registries write them: in upper case, with accents and Ñ. Some names contain others, to test the inexact search. */
export const womensNames: readonly string[] = (
  'ANA|ANA MARÍA|MARIANA|ROSA|ROSARIO|MARÍA FERNANDA|GUADALUPE|VERÓNICA|ALEJANDRA|BEGOÑA|' +
  'CLAUDIA|DANIELA|ELENA|FABIOLA|GABRIELA|INÉS|JIMENA|KARLA|LETICIA|MARÍA DEL CARMEN|' +
  'NATALIA|OLIVIA|PATRICIA|REGINA|SOFÍA|TERESA|VALERIA|XIMENA|YOLANDA|ZULEMA'
).split('|');

const mensNames: readonly string[] = (
  'JUAN|JUAN PABLO|JOSÉ LUIS|JOSÉ ÁNGEL|MARIO|MARCO ANTONIO|MARCO|ÍÑIGO|RAÚL|HÉCTOR|' +
  'ANDRÉS|BERNARDO|CARLOS|DIEGO|EDUARDO|FERNANDO|GERARDO|HUGO|IGNACIO|JAVIER|' +
  'LUIS|MIGUEL ÁNGEL|NICOLÁS|ÓSCAR|PEDRO|RICARDO|SANTIAGO|TOMÁS|URIEL|VÍCTOR'
).split('|');

const surnames: readonly string[] = (
  'MUÑOZ|PEÑA|NÚÑEZ|ÑAÑEZ|GARCÍA|LÓPEZ|LÓPEZ PORTILLO|PONCE|PONCE DE LEÓN|LEÓN|' +
  'HERNÁNDEZ|MARTÍNEZ|GONZÁLEZ|RODRÍGUEZ|PÉREZ|SÁNCHEZ|RAMÍREZ|CRUZ|FLORES|GÓMEZ|' +
  'MORALES|VÁZQUEZ|REYES|JIMÉNEZ|TORRES|DÍAZ|GUTIÉRREZ|RUIZ|MENDOZA|AGUILAR|' +
  'ORTIZ|CASTILLO|ROMERO|ÁLVAREZ|MÉNDEZ|CHÁVEZ|RIVERA|JUÁREZ|DOMÍNGUEZ|ZÚÑIGA|' +
  'ESTRADA|BAUTISTA|ESPINOSA|IBARRA|QUINTERO|URIBE|VELASCO|YÁÑEZ|OCHOA|TREVIÑO'
).split('|');

/** A housing credit. Dates are YYYYMMDD, as the fund prints them. */
interface Credit {
  readonly number: string;
  readonly situation: string;
  readonly currency: string;
  readonly kind: string;
  readonly regime: 'ROA' | 'REA';
  readonly pool: string;
  readonly monthsWithoutContribution: number;
  readonly product: string;
  readonly openedOn: string;
  readonly closedOn: string;
}

/** A housing sub-account. Amounts are in centavos. */
interface SandboxHousingAccount {
  readonly previous: number;
  readonly before1997: number;
  readonly after1997: number;
  readonly contribution: number;
  readonly bimester: string;
  readonly paidOn: string;
  readonly employerName: string;
  /** Whether the fund puts a blank before the amount, as it sometimes does. */
  readonly leadingBlank: boolean;
}

const kinds =
  'Hipotecario (estándar)|COFINAVIT|COFINAVIT INGRESOS ADICIONALES|INFONAVIT TOTAL|TU SEGUNDO CRÉDITO INFONAVIT'.split(
    '|',
  );

function makeCredit(random: SeededRandom, firstYear: number): Credit {
  const year = random.integer(firstYear, 2023);
  const makeDay = (inYear: number): string => `${inYear}${String(random.integer(1, 12)).padStart(2, '0')}15`;
  const closed = random.oneIn(5);
  return {
    number: random.digits(10),
    situation: closed ? 'LIQUIDADO' : random.pick(['VIGENTE', 'VIGENTE', 'PRÓRROGA']),
    currency: year > 2020 ? 'PESOS' : random.pick(['VSM', 'UMA/UMI']),
    kind: random.pick(kinds),
    regime: random.oneIn(3) ? 'REA' : 'ROA',
    pool: random.digits(4),
    monthsWithoutContribution: random.oneIn(3) ? random.integer(1, 14) : 0,
    product: 'Hipotecaria Total (HiTo)',
    openedOn: makeDay(year),
    closedOn: closed ? makeDay(2025) : '',
  };
}

function makeHousingAccount(random: SeededRandom, birthYear: number): SandboxHousingAccount {
  const after1997 = random.integer(500_000, 45_000_000);
  const employed = !random.oneIn(4);
  return {
    previous: Math.floor(after1997 * 0.9),
    before1997: birthYear < 1978 ? random.integer(10_000, 900_000) : 0,
    after1997,
    contribution: employed ? random.integer(80_000, 600_000) : 0,
    bimester: '202405',
    paidOn: employed ? '2024-11-15' : '',
    employerName: employed ? random.pick(['COMERCIALIZADORA PEÑA Y ASOCIADOS', 'SERVICIOS DEL GOLFO']) : '',
    leadingBlank: random.oneIn(3),
  };
}

export interface SandboxPerson {
  readonly curp: string;
  /** The CURP that `curp` replaced. */
  readonly replacedCurp?: string;
  readonly nss: string;
  readonly rfc: string;
  readonly names: string;
  readonly paternalSurname: string;
  /** Second surname, or '' if the person has only one. */
  readonly maternalSurname: string;
  readonly sex: 'HOMBRE' | 'MUJER';
  readonly birthDate: string;
  readonly birthState: State;
  readonly alive: boolean;
  readonly actNumber: number;
  readonly email: string;
  readonly phone: string;
  /** The housing credit. Without a credit the fund answers null for some people and an empty text for others. */
  readonly credit: Credit | null | '';
  readonly account: SandboxHousingAccount | null;
  readonly licences: readonly Licence[];
  readonly certificate: SandboxCertificate | null;
}

/** Chosen attributes of a person. The remaining ones are derived from these and from seeded random numbers. */
export interface PersonProfile extends Omit<Birth, 'stateCode'> {
  readonly serial: number;
  readonly state: State;
  readonly subDelegation: string;
  readonly credit: 'active' | null | '';
  readonly hasAccount: boolean;
  readonly licences: number;
  readonly hasCertificate: boolean;
}

const PERSON_COUNT = 220;

function makeNss(random: SeededRandom, profile: PersonProfile, birthYear: number): string {
  const registered = Math.min(birthYear + 19, 2024) % 100;
  const years = String(registered).padStart(2, '0') + String(birthYear % 100).padStart(2, '0');
  const body =
    profile.subDelegation + years + String((profile.serial * 17 + random.integer(0, 16)) % 10_000).padStart(4, '0');
  return body + luhnCheckDigit(body);
}

export function makePerson(profile: PersonProfile): SandboxPerson {
  const random = seededRandom(`person ${profile.serial}`);
  const birthYear = Number(profile.birthDate.slice(0, 4));
  const birth: Birth = { ...profile, stateCode: profile.state.code };
  return {
    curp: makeCurp(birth),
    nss: makeNss(random, profile, birthYear),
    rfc: makePersonRfc(birth, random),
    names: profile.names,
    paternalSurname: profile.paternalSurname,
    maternalSurname: profile.maternalSurname,
    sex: profile.sexLetter === 'H' ? 'HOMBRE' : 'MUJER',
    birthDate: profile.birthDate,
    birthState: profile.state,
    alive: profile.serial % 37 !== 36,
    actNumber: random.integer(1, 4000),
    email: `persona${profile.serial}@correo.example`,
    phone: `55${random.digits(8)}`,
    credit: profile.credit === 'active' ? makeCredit(random, Math.max(2000, birthYear + 18)) : profile.credit,
    account: profile.hasAccount ? makeHousingAccount(random, birthYear) : null,
    licences: Array.from({ length: profile.licences }, (_, order) =>
      makeLicence(random, profile.serial * 2 + order, birthYear, order),
    ),
    certificate: profile.hasCertificate ? makeStudyCertificate(random, profile.serial, birthYear) : null,
  };
}

function chooseCredit(index: number): 'active' | null | '' {
  if (index % 5 !== 0) return 'active';
  return index % 10 === 0 ? null : '';
}

function countLicences(index: number): number {
  if (index % 4 === 3) return 0;
  return index % 7 === 2 ? 2 : 1;
}

function makeBirthDate(random: SeededRandom, index: number): string {
  const year = index % 9 === 4 ? random.integer(2000, 2004) : random.integer(1950, 1999);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${twoDigits(random.integer(1, 12))}-${twoDigits(random.integer(1, 28))}`;
}

/**
 * Returns the profile of a person. Every 15th person has the full name of the previous one but another birth. Every 20th has the
 * surnames of the previous one and an additional name, so that the inexact search finds both.
 */
function makeProfile(index: number): PersonProfile {
  const hasLongerName = index % 20 === 17;
  const random = seededRandom(`sketch ${index % 15 === 14 || hasLongerName ? index - 1 : index}`);
  const isWoman = random.oneIn(2);
  const names = random.pick(isWoman ? womensNames : mensNames);
  const fullName = {
    names: hasLongerName ? `${names} ${isWoman ? 'ISABEL' : 'ALBERTO'}` : names,
    paternalSurname: random.pick(surnames),
    maternalSurname: random.pick(surnames),
  };
  const ownRandom = seededRandom(`sketch of ${index}`);
  return {
    ...fullName,
    maternalSurname: index % 13 === 5 ? '' : fullName.maternalSurname,
    serial: index,
    birthDate: makeBirthDate(ownRandom, index),
    sexLetter: index === 7 ? 'X' : isWoman ? 'M' : 'H',
    state: index % 40 === 8 ? ABROAD : ownRandom.pick(states),
    subDelegation:
      index % 6 === 1 ? ownRandom.pick(['01', '03', '04', '06', '07', '09']) : String(ownRandom.integer(10, 92)),
    credit: chooseCredit(index),
    hasAccount: index % 17 !== 16,
    licences: countLicences(index),
    hasCertificate: index % 3 !== 2,
  };
}

export const people: readonly SandboxPerson[] = Array.from({ length: PERSON_COUNT }, (_, index) =>
  makePerson(makeProfile(index)),
);
