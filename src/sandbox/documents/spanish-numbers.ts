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

/**
 * Returns a whole number in Spanish words, in the form used before a masculine noun ('veintiún', not 'veintiuno').
 * Spanish groups six digits: 10^9 is 'mil millones', and a 'billón' is 10^12.
 */
export function spellNumber(count: number): string {
  if (count === 0) return 'CERO';
  const billions = Math.floor(count / MILLION ** 2);
  const millions = Math.floor(count / MILLION) % MILLION;
  return [
    spellGroup(billions, 'BILLÓN', 'BILLONES'),
    spellGroup(millions, 'MILLÓN', 'MILLONES'),
    spellSixDigits(count % MILLION),
  ]
    .filter((words) => words !== '')
    .join(' ');
}

function spellGroup(count: number, singular: string, plural: string): string {
  if (count === 0) return '';
  return `${spellSixDigits(count)} ${count === 1 ? singular : plural}`;
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
