import { type Activity, activities, meanPremium } from './activities';
import { registrationDigit } from './identifiers';
import { people } from './people';
import { companyRfc } from './person-codes';
import { drawFrom } from './random';
import { states } from './states';

/** What the social security institute holds on one invented employer. */
export interface Employer {
  readonly serial: number;
  readonly registration: string;
  readonly name: string;
  readonly rfc: string;
  readonly kind: 'MORAL' | 'FISICA';
  readonly activity: Activity;
  /** In hundred-thousandths of one per cent. */
  readonly riskPremium: number;
  readonly workers: number;
  /** Centavos a day, the mean of its workers. */
  readonly dailyWage: number;
  readonly postalCode: string;
  readonly obligatedSubjectId: string;
  /** Leaves some months unpaid, and has a negative opinion for it. */
  readonly owes: boolean;
  /** In inline mode its files come with their link too. */
  readonly linksInline: boolean;
}

export interface EmployerSketch {
  readonly serial: number;
  readonly name: string;
  readonly owes: boolean;
  /** The taxpayer code of the person it belongs to; a company has its own. */
  readonly ownerRfc?: string;
}

const COUNT = 40;
const trades = (
  'CONSTRUCTORA|TRANSPORTES|PANIFICADORA|HIDALGO|COMERCIALIZADORA|MUEBLES|HOTELES|SERVICIOS|CLÍNICA|LABORATORIOS|' +
  'MENSAJERÍA|ÑANDÚ|RESTAURANTES|COLEGIO|PLÁSTICOS|INMOBILIARIA'
).split('|');
const places = 'PENINSULAR|NORTEÑA|ORIENTAL|BAJÍO|GOLFO|PACÍFICO|HUASTECA|& ESCOBEDO|ALTIPLANO|VALLE'.split('|');
const endings = 'UNIDA|INTEGRAL|MEXICANA|REGIONAL|MODERNA|NACIONAL|ÑUU|COOPERATIVA'.split('|');

function initials(name: string): string {
  return name
    .normalize('NFD')
    .replace(/(N\u0303)|[\u0300-\u036f]/g, (_, enye: string | undefined) => enye ?? '')
    .normalize('NFC')
    .split(' ')
    .slice(0, 3)
    .map((word) => word.slice(0, 1))
    .join('');
}

export function makeEmployer(sketch: EmployerSketch): Employer {
  const draw = drawFrom(`employer ${sketch.serial}`);
  const activity = draw.pick(activities);
  const mean = meanPremium[activity.riskClass] ?? 0;
  const founded = `${draw.integer(1970, 2015)}-${String(draw.integer(1, 12)).padStart(2, '0')}-${draw.integer(10, 28)}`;
  const ownRfc = companyRfc(initials(sketch.name), founded, draw);
  const body = `${draw.pick([...'ABCDEFGYZ'])}${draw.digits(2)}${String(10_000 + sketch.serial * 123).slice(-5)}10`;
  return {
    serial: sketch.serial,
    registration: body + registrationDigit(body),
    name: sketch.name,
    rfc: sketch.ownerRfc ?? ownRfc,
    kind: sketch.ownerRfc === undefined ? 'MORAL' : 'FISICA',
    activity,
    riskPremium: Math.max(50_000, mean + draw.integer(-20_000, 20_000)),
    workers: draw.integer(3, 240),
    dailyWage: draw.integer(31_504, 95_000),
    postalCode: draw.pick(states).postalPrefix + draw.digits(3),
    obligatedSubjectId: String(3_000_000 + sketch.serial * 7919),
    owes: sketch.owes,
    linksInline: sketch.serial % 2 === 0,
  };
}

function sketchOf(index: number): EmployerSketch {
  const draw = drawFrom(`company ${index}`);
  const owes = index % 5 === 3;
  const owner = index % 8 === 6 ? people[index * 2] : undefined;
  if (owner) {
    const name = [owner.names, owner.paternalSurname, owner.maternalSurname].filter(Boolean).join(' ');
    return { serial: index, name, owes, ownerRfc: owner.rfc };
  }
  const trade = trades[index % trades.length] ?? '';
  const place = places[(index + Math.floor(index / 16) * 3) % places.length] ?? '';
  return { serial: index, name: `${trade} ${place} ${draw.pick(endings)} SA DE CV`, owes };
}

/** Every employer without a part in a test card. */
export const employers: readonly Employer[] = Array.from({ length: COUNT }, (_, index) =>
  makeEmployer(sketchOf(index)),
);
