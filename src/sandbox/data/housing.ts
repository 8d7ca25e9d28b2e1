import type { Draw } from './random';

/** A housing credit; dates are YYYYMMDD, as the fund prints them. */
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

/** A housing sub-account; money in centavos. */
export interface HousingAccount {
  readonly previous: number;
  readonly before1997: number;
  readonly after1997: number;
  readonly contribution: number;
  readonly bimester: string;
  readonly paidOn: string;
  readonly employerName: string;
  /** The fund's own quirk: a blank before the amount. */
  readonly leadingBlank: boolean;
}

const kinds =
  'Hipotecario (estándar)|COFINAVIT|COFINAVIT INGRESOS ADICIONALES|INFONAVIT TOTAL|TU SEGUNDO CRÉDITO INFONAVIT'.split(
    '|',
  );

export function makeCredit(draw: Draw, firstYear: number): Credit {
  const year = draw.integer(firstYear, 2023);
  const day = (of: number): string => `${of}${String(draw.integer(1, 12)).padStart(2, '0')}15`;
  const closed = draw.oneIn(5);
  return {
    number: draw.digits(10),
    situation: closed ? 'LIQUIDADO' : draw.pick(['VIGENTE', 'VIGENTE', 'PRÓRROGA']),
    currency: year > 2020 ? 'PESOS' : draw.pick(['VSM', 'UMA/UMI']),
    kind: draw.pick(kinds),
    regime: draw.oneIn(3) ? 'REA' : 'ROA',
    pool: draw.digits(4),
    monthsWithoutContribution: draw.oneIn(3) ? draw.integer(1, 14) : 0,
    product: 'Hipotecaria Total (HiTo)',
    openedOn: day(year),
    closedOn: closed ? day(2025) : '',
  };
}

export function makeHousingAccount(draw: Draw, birthYear: number): HousingAccount {
  const after1997 = draw.integer(500_000, 45_000_000);
  const employed = !draw.oneIn(4);
  return {
    previous: Math.floor(after1997 * 0.9),
    before1997: birthYear < 1978 ? draw.integer(10_000, 900_000) : 0,
    after1997,
    contribution: employed ? draw.integer(80_000, 600_000) : 0,
    bimester: '202405',
    paidOn: employed ? '2024-11-15' : '',
    employerName: employed ? draw.pick(['COMERCIALIZADORA PEÑA Y ASOCIADOS', 'SERVICIOS DEL GOLFO']) : '',
    leadingBlank: draw.oneIn(3),
  };
}
