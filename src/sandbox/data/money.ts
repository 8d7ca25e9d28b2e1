/** Returns centavos as decimal text: 13621132 becomes '136211.32'. */
export function formatDecimal(centavos: number): string {
  const digits = String(centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns centavos as the number of pesos used in JSON. */
export function toPesos(centavos: number): number {
  return centavos / 100;
}
