/** Returns centavos as decimal text: 13621132 becomes '136211.32'. */
export function formatDecimal(centavos: number): string {
  const { pesos, cents } = splitCentavos(centavos);
  return `${pesos}.${cents}`;
}

export function toPesos(centavos: number): number {
  return centavos / 100;
}

/** Returns centavos as currency text: 13621132 becomes '$136,211.32'. */
export function formatCentavos(centavos: number): string {
  const { pesos, cents } = splitCentavos(centavos);
  return `$${groupThousands(pesos)}.${cents}`;
}

/** Returns centavos in words, as Mexican documents do: 13621132 becomes 'CIENTO TREINTA Y SEIS MIL DOSCIENTOS ONCE PESOS 32/100 M.N.'. */
export function spellAmount(centavos: number): string {
  const { pesos, cents } = splitCentavos(centavos);
  const count = Number(pesos);
  // Spanish says 'un millón DE pesos', but 'un millón un pesos': only a round million takes the preposition.
  const preposition = count >= 1_000_000 && count % 1_000_000 === 0 ? 'DE ' : '';
  return `${spellNumber(count)} ${preposition}${count === 1 ? 'PESO' : 'PESOS'} ${cents}/100 M.N.`;
}

function splitCentavos(centavos: number): { readonly pesos: string; readonly cents: string } {
  const digits = String(centavos).padStart(3, '0');
  return { pesos: digits.slice(0, -2), cents: digits.slice(-2) };
}

function groupThousands(pesos: string): string {
  return pesos.replace(/\B(?=(\d{3})+$)/g, ',');
}

const SMALL = (
  'CERO UN DOS TRES CUATRO CINCO SEIS SIETE OCHO NUEVE DIEZ ONCE DOCE TRECE CATORCE QUINCE DIECISÉIS DIECISIETE ' +
  'DIECIOCHO DIECINUEVE VEINTE VEINTIÚN VEINTIDÓS VEINTITRÉS VEINTICUATRO VEINTICINCO VEINTISÉIS VEINTISIETE ' +
  'VEINTIOCHO VEINTINUEVE'
).split(' ');
const TENS = ['', '', '', 'TREINTA', 'CUARENTA', 'CINCUENTA', 'SESENTA', 'SETENTA', 'OCHENTA', 'NOVENTA'];
const HUNDREDS = (
  ' CIENTO DOSCIENTOS TRESCIENTOS CUATROCIENTOS QUINIENTOS SEISCIENTOS SETECIENTOS OCHOCIENTOS ' + 'NOVECIENTOS'
).split(' ');
const MILLION = 1_000_000;

/** Returns a whole number in Spanish words, in the form used before a masculine noun ('veintiún', not 'veintiuno'). */
function spellNumber(count: number): string {
  if (count === 0) return 'CERO';
  const millions = Math.floor(count / MILLION);
  const leading = millions === 0 ? '' : `${spellSixDigits(millions)} ${millions === 1 ? 'MILLÓN' : 'MILLONES'}`;
  return [leading, spellSixDigits(count % MILLION)].filter((words) => words !== '').join(' ');
}

function spellSixDigits(count: number): string {
  const thousands = Math.floor(count / 1000);
  // 1,000 is 'mil', never 'un mil'.
  const leading = thousands === 0 ? '' : thousands === 1 ? 'MIL' : `${spellThreeDigits(thousands)} MIL`;
  return [leading, spellThreeDigits(count % 1000)].filter((words) => words !== '').join(' ');
}

function spellThreeDigits(count: number): string {
  // 100 is 'cien', but 'ciento' before further digits.
  if (count === 100) return 'CIEN';
  return [HUNDREDS[Math.floor(count / 100)] ?? '', spellTwoDigits(count % 100)]
    .filter((words) => words !== '')
    .join(' ');
}

function spellTwoDigits(count: number): string {
  if (count === 0) return '';
  if (count < 30) return SMALL[count] ?? '';
  const unit = count % 10;
  const tens = TENS[Math.floor(count / 10)] ?? '';
  return unit === 0 ? tens : `${tens} Y ${SMALL[unit] ?? ''}`;
}
