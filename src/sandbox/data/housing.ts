import type { SeededRandom } from './random';

/** A housing credit. Dates are YYYYMMDD, as the fund prints them. */
export interface Credit {
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
export interface SandboxHousingAccount {
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

export function makeCredit(random: SeededRandom, firstYear: number): Credit {
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

export function makeHousingAccount(random: SeededRandom, birthYear: number): SandboxHousingAccount {
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
