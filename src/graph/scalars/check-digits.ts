const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

/** The Luhn digit that completes a run of digits. */
export function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** The 18th character of a CURP from its first 17. */
export function curpDigit(stem: string): number {
  const sum = [...stem].reduce((total, letter, index) => total + CURP_ALPHABET.indexOf(letter) * (18 - index), 0);
  return (10 - (sum % 10)) % 10;
}

/** The check digit of an employer registration from its first 10 characters: letters count as two digits (A=10 … Z=35). */
export function registrationDigit(stem: string): number {
  return luhnDigit([...stem].map((character) => Number.parseInt(character, 36)).join(''));
}
