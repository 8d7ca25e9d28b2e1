import { lookup } from '../../../support/operations/lookup';

const fields = {
  licences: `licences { ${lookup} records { number names paternalSurname maternalSurname } }`,
  professionalStatus: `professionalStatus { ${lookup} record { curp } }`,
  identity: `identity { ${lookup} record { curp } }`,
  credit: `credit { ${lookup} record { curp } }`,
} as const;
/** Returns a document that selects fields of a person, identified by the variables. */
export const documentOf = (...chosen: readonly (keyof typeof fields)[]): string =>
  `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) { person(nss: $nss, curp: $curp, name: $name) {
    nss curp ${chosen.map((field) => fields[field]).join(' ')} } }`;
