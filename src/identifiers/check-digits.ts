const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
const ZERO = '0'.charCodeAt(0);

export function luhnDigit(digits: string): number {
  let sum = 0;
  let doubled = true;
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    sum += luhnWeight(digits.charCodeAt(index) - ZERO, doubled);
    doubled = !doubled;
  }
  return (10 - (sum % 10)) % 10;
}

export function curpDigit(stem: string): number {
  let sum = 0;
  for (let index = 0; index < stem.length; index += 1) sum += CURP_ALPHABET.indexOf(stem.charAt(index)) * (18 - index);
  return (10 - (sum % 10)) % 10;
}

/** Returns the check digit of an employer registration from its first 10 characters. Letters count as two digits (A=10 … Z=35). */
export function registrationDigit(stem: string): number {
  return luhnDigit(stem.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36))));
}

function luhnWeight(digit: number, doubled: boolean): number {
  if (!doubled) return digit;
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
