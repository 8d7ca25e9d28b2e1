import type { SandboxEmployer } from '../data/employers';
import type { SandboxPerson } from '../data/people';

/** Returns what the registries hold about a person, in the languages of the explorer. */
export function describePerson({ credit, account, licences, certificate, alive }: SandboxPerson) {
  const { length } = licences;
  const held: readonly (readonly [boolean, string, string])[] = [
    [Boolean(credit), 'a credit', 'un crédito'],
    [account !== null, 'a housing account', 'una subcuenta de vivienda'],
    [length === 1, 'a licence', 'una cédula'],
    [length > 1, `${length} licences`, `${length} cédulas`],
    [certificate !== null, 'a certificate', 'un certificado de estudios'],
    [!alive, 'a cancelled CURP', 'la CURP dada de baja'],
  ];
  const found = held.filter(([isHeld]) => isHeld);
  if (found.length === 0) return { english: 'has nothing', spanish: 'no tiene nada' };
  return {
    english: `has ${found.map(([, text]) => text).join(', ')}`,
    spanish: `tiene ${found.map(([, , text]) => text).join(', ')}`,
  };
}

/** Returns the size of an employer, and whether its opinion is negative. */
export function describeEmployer({ workers, owes }: Pick<SandboxEmployer, 'workers' | 'owes'>) {
  return {
    english: `${workers} workers${owes ? '; owes some months: its opinion is negative' : ''}`,
    spanish: `${workers} trabajadores${owes ? '; debe algunos meses: su opinión es negativa' : ''}`,
  };
}
