import { type Activity, activities, meanPremium } from './activities';
import { registrationCheckDigit } from './identifiers';
import { people } from './people';
import { makeCompanyRfc } from './person-codes';
import { seededRandom } from './random';
import { states } from './states';

/** The social security institute's record of an invented employer. */
export interface SandboxEmployer {
  readonly serial: number;
  readonly registration: string;
  readonly name: string;
  readonly rfc: string;
  readonly kind: 'MORAL' | 'FISICA';
  readonly activity: Activity;
  /** Risk premium in hundred-thousandths of one per cent. */
  readonly riskPremium: number;
  readonly workers: number;
  /** Mean daily wage of the workers, in centavos. */
  readonly dailyWage: number;
  readonly postalCode: string;
  readonly obligatedSubjectId: string;
  /** Whether the employer leaves some months unpaid and therefore has a negative opinion. */
  readonly owes: boolean;
  /** Whether inline files of this employer's receipts include their links. */
  readonly linksInline: boolean;
}

export interface EmployerProfile {
  readonly serial: number;
  readonly name: string;
  readonly owes: boolean;
  /** Taxpayer code of the owner if the owner is a person. A company has its own code. */
  readonly ownerRfc?: string;
}

const EMPLOYER_COUNT = 40;
const trades = (
  'CONSTRUCTORA|TRANSPORTES|PANIFICADORA|HIDALGO|COMERCIALIZADORA|MUEBLES|HOTELES|SERVICIOS|CLÍNICA|LABORATORIOS|' +
  'MENSAJERÍA|ÑANDÚ|RESTAURANTES|COLEGIO|PLÁSTICOS|INMOBILIARIA'
).split('|');
const places = 'PENINSULAR|NORTEÑA|ORIENTAL|BAJÍO|GOLFO|PACÍFICO|HUASTECA|& ESCOBEDO|ALTIPLANO|VALLE'.split('|');
const endings = 'UNIDA|INTEGRAL|MEXICANA|REGIONAL|MODERNA|NACIONAL|ÑUU|COOPERATIVA'.split('|');

function toInitials(name: string): string {
  return name
    .normalize('NFD')
    .replace(/(N\u0303)|[\u0300-\u036f]/g, (_, enye: string | undefined) => enye ?? '')
    .normalize('NFC')
    .split(' ')
    .slice(0, 3)
    .map((word) => word.slice(0, 1))
    .join('');
}

export function makeEmployer(profile: EmployerProfile): SandboxEmployer {
  const random = seededRandom(`employer ${profile.serial}`);
  const activity = random.pick(activities);
  const mean = meanPremium[activity.riskClass] ?? 0;
  const founded = `${random.integer(1970, 2015)}-${String(random.integer(1, 12)).padStart(2, '0')}-${random.integer(10, 28)}`;
  const ownRfc = makeCompanyRfc(toInitials(profile.name), founded, random);
  const body = `${random.pick([...'ABCDEFGYZ'])}${random.digits(2)}${String(10_000 + profile.serial * 123).slice(-5)}10`;
  return {
    serial: profile.serial,
    registration: body + registrationCheckDigit(body),
    name: profile.name,
    rfc: profile.ownerRfc ?? ownRfc,
    kind: profile.ownerRfc === undefined ? 'MORAL' : 'FISICA',
    activity,
    riskPremium: Math.max(50_000, mean + random.integer(-20_000, 20_000)),
    workers: random.integer(3, 240),
    dailyWage: random.integer(31_504, 95_000),
    postalCode: random.pick(states).postalPrefix + random.digits(3),
    obligatedSubjectId: String(3_000_000 + profile.serial * 7919),
    owes: profile.owes,
    linksInline: profile.serial % 2 === 0,
  };
}

function makeProfile(index: number): EmployerProfile {
  const random = seededRandom(`company ${index}`);
  const owes = index % 5 === 3;
  const owner = index % 8 === 6 ? people[index * 2] : undefined;
  if (owner) {
    const name = [owner.names, owner.paternalSurname, owner.maternalSurname].filter(Boolean).join(' ');
    return { serial: index, name, owes, ownerRfc: owner.rfc };
  }
  const trade = trades[index % trades.length] ?? '';
  const place = places[(index + Math.floor(index / 16) * 3) % places.length] ?? '';
  return { serial: index, name: `${trade} ${place} ${random.pick(endings)} SA DE CV`, owes };
}

/** All employers except those of test cards. */
export const employers: readonly SandboxEmployer[] = Array.from({ length: EMPLOYER_COUNT }, (_, index) =>
  makeEmployer(makeProfile(index)),
);
