/** Removes accents and case for a search, so that "cedula" finds "cédula". */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
