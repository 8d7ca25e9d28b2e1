import { registrationCheckDigit } from './identifiers';
import { people } from './people';
import { makeCompanyRfc } from './person-codes';
import { seededRandom } from './random';
import { states } from './states';

interface Activity {
  readonly key: string;
  readonly description: string;
  readonly riskClass: string;
  readonly division: string;
  readonly group: string;
}

const divisions: Readonly<Record<string, string>> = {
  '0': 'Agricultura, ganadería, silvicultura, pesca y caza',
  '1': 'Industrias extractivas',
  '2': 'Industrias de transformación',
  '3': 'Industrias de transformación',
  '4': 'Industria de la construcción',
  '5': 'Industria eléctrica y captación y suministro de agua potable',
  '6': 'Comercio',
  '7': 'Transportes y comunicaciones',
  '8': 'Servicios para empresas, personas y el hogar',
  '9': 'Servicios sociales y comunales',
};

/** The mean premium of each class, in hundred-thousandths of one per cent. */
const meanPremium: Readonly<Record<string, number>> = { I: 54355, II: 113065, III: 259840, IV: 465325, V: 758875 };

const rows: readonly (readonly [string, string, string])[] = [
  ['011', 'Agricultura', 'III'],
  ['021', 'Ganadería', 'III'],
  ['242', 'Confección de prendas de vestir', 'II'],
  ['271', 'Fabricación y/o reparación de muebles de madera', 'V'],
  ['291', 'Industrias editorial, de impresión, encuadernación y actividades conexas', 'III'],
  ['305', 'Fabricación de productos químico-farmacéuticos', 'II'],
  ['322', 'Fabricación de productos de plástico', 'IV'],
  ['354', 'Estructuras metálicas', 'V'],
  ['388', 'Fabricación de automóviles', 'III'],
  ['411', 'Construcción de edificaciones, excepto obra pública', 'V'],
  ['412', 'Construcción de obra pública', 'V'],
  ['421', 'Instalaciones', 'IV'],
  ['500', 'Generación y distribución de energía eléctrica', 'IV'],
  ['611', 'Compraventa de alimentos al menudeo', 'II'],
  ['641', 'Supermercados', 'II'],
  ['653', 'Gasolineras', 'III'],
  ['691', 'Inmuebles', 'I'],
  ['711', 'Transporte de pasajeros', 'IV'],
  ['712', 'Transporte de carga', 'V'],
  ['755', 'Mensajería', 'IV'],
  ['760', 'Comunicaciones', 'II'],
  ['810', 'Instituciones de crédito, seguros y fianzas', 'I'],
  ['841', 'Servicios profesionales y técnicos', 'I'],
  ['844', 'Servicios de protección y custodia', 'III'],
  ['860', 'Alojamiento temporal', 'II'],
  ['871', 'Preparación y servicio de alimentos', 'II'],
  ['911', 'Servicios de enseñanza', 'I'],
  ['921', 'Servicios médicos', 'I'],
  ['922', 'Servicios médicos paramédicos', 'II'],
  ['942', 'Seguridad pública', 'III'],
];

const activities: readonly Activity[] = rows.map(([key, description, riskClass]) => ({
  key,
  description,
  riskClass,
  division: divisions[key.slice(0, 1)] ?? '',
  group: key.slice(0, 2),
}));

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

export const employers: readonly SandboxEmployer[] = Array.from({ length: EMPLOYER_COUNT }, (_, index) =>
  makeEmployer(makeProfile(index)),
);
