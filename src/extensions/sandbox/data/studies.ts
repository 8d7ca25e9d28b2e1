import type { SeededRandom } from './random';
import { type State, states } from './states';

export interface Licence {
  /** Licence number as printed. Old numbers have leading zeros. */
  readonly number: string;
  readonly title: string;
  readonly institution: string;
  readonly year: number;
  readonly showsCurp: boolean;
  readonly institutionCode: number | null;
  readonly institutionState: number | null;
  readonly entry: number;
}

/** An electronic certificate of studies. Timestamps are local, as `DD/MM/YYYY HH:MM:SS`. */
export interface SandboxCertificate {
  readonly id: number;
  readonly folio: string;
  readonly institution: string;
  readonly career: string;
  readonly state: State;
  readonly average: string;
  readonly certifiedAt: string;
  readonly issuedAt: string;
  readonly status: string;
}

const titles = (
  'LICENCIATURA EN DERECHO|LICENCIATURA EN CONTADURÍA|LICENCIATURA EN ENFERMERÍA|INGENIERÍA CIVIL|MÉDICO CIRUJANO|' +
  'INGENIERÍA EN SISTEMAS COMPUTACIONALES|LICENCIATURA EN PSICOLOGÍA|ARQUITECTURA|LICENCIATURA EN DISEÑO GRÁFICO|' +
  'INGENIERÍA INDUSTRIAL|LICENCIATURA EN ADMINISTRACIÓN|QUÍMICO FARMACÉUTICO BIÓLOGO'
).split('|');
const higherTitles = 'MAESTRÍA EN FINANZAS|MAESTRÍA EN CIENCIAS|ESPECIALIDAD EN PEDIATRÍA|DOCTORADO EN DERECHO'.split(
  '|',
);
const institutions = (
  'UNIVERSIDAD NACIONAL AUTÓNOMA DE MÉXICO|INSTITUTO POLITÉCNICO NACIONAL|UNIVERSIDAD DE GUADALAJARA|' +
  'UNIVERSIDAD AUTÓNOMA DE NUEVO LEÓN|UNIVERSIDAD VERACRUZANA|UNIVERSIDAD AUTÓNOMA DE YUCATÁN'
).split('|');
const careers =
  'TÉCNICO EN ENFERMERÍA GENERAL|TÉCNICO EN CONTABILIDAD|TÉCNICO EN MECATRÓNICA|TÉCNICO EN PROGRAMACIÓN'.split('|');
const LAST_YEAR_OF_STUDIES = 2025;

/** Returns a licence. One in three has the leading zeros of the old numbering. `serial` makes the number unique. */
export function makeLicence(random: SeededRandom, serial: number, birthYear: number, order: number): Licence {
  const old = serial % 3 === 0;
  const body = String(400_000 + serial * 37);
  const earliest = birthYear + 23 + order * 3;
  return {
    number: old ? body.padStart(7, '0') : `1${body.padStart(7, '0')}`,
    title: random.pick(order === 0 ? titles : higherTitles),
    institution: random.pick(institutions),
    year: Math.min(LAST_YEAR_OF_STUDIES, earliest + random.integer(0, 3)),
    showsCurp: serial % 3 !== 1,
    institutionCode: random.oneIn(4) ? null : random.integer(1000, 9999),
    institutionState: random.oneIn(4) ? null : random.integer(1, 32),
    entry: random.integer(1, 900),
  };
}

export function makeStudyCertificate(random: SeededRandom, serial: number, birthYear: number): SandboxCertificate {
  const year = Math.min(LAST_YEAR_OF_STUDIES, Math.max(2016, birthYear + 18));
  const makeTimestamp = (month: number): string => {
    const twoDigits = (value: number): string => String(value).padStart(2, '0');
    const time = `${twoDigits(random.integer(8, 18))}:${twoDigits(random.integer(0, 59))}:${twoDigits(random.integer(0, 59))}`;
    return `${twoDigits(random.integer(1, 28))}/${twoDigits(month)}/${year} ${time}`;
  };
  return {
    id: 50_000 + serial,
    folio: random.uuid(),
    institution: 'COLEGIO NACIONAL DE EDUCACIÓN PROFESIONAL TÉCNICA',
    career: random.pick(careers),
    state: random.pick(states),
    average: `${random.integer(7, 9)}.${random.integer(0, 9)}`,
    certifiedAt: makeTimestamp(7),
    issuedAt: makeTimestamp(9),
    status: serial % 12 === 11 ? 'CANCELADO' : 'REGISTRADO',
  };
}
