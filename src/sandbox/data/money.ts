/** Centavos as plain decimal text: 13621132 is '136211.32'. */
export function formatDecimal(centavos: number): string {
  const digits = String(centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Centavos as the number of pesos that JSON carries. */
export function toPesos(centavos: number): number {
  return centavos / 100;
}
