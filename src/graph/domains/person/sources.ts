import { parseIsoDate } from '../../../identifiers/dates';
import type { LicenceRecord, StatusRecord } from '../education/endpoints';
import type { AccountRecord, CreditRecord } from '../housing/endpoints';
import type { IdentityRecord } from '../population/endpoints';
import type { IdentityField } from './facts';
import type { IdentitySource } from './identity-collector';

export const creditSource: IdentitySource<CreditRecord> = {
  registry: 'HOUSING_FUND',
  echoes: ['NSS'],
  toTexts: ({ nss, scurp, rfc, nombre, apPaterno, apMaterno }) => [
    { nss, curp: scurp, rfc, names: nombre, paternalSurname: apPaterno, maternalSurname: apMaterno },
  ],
};

export const accountSource: IdentitySource<AccountRecord> = {
  registry: 'HOUSING_FUND',
  echoes: ['NSS'],
  toTexts: ({ NSS }) => [{ nss: NSS }],
};

export const identitySource: IdentitySource<IdentityRecord> = {
  registry: 'POPULATION_REGISTRY',
  echoes: ['CURP'],
  toTexts: ({ curp, nombres, apellidoPaterno, apellidoMaterno, fechaNacimiento, sexo }) => [
    {
      curp,
      names: nombres,
      paternalSurname: apellidoPaterno,
      maternalSurname: apellidoMaterno,
      birthDate: parseIsoDate(fechaNacimiento),
      sex: sexo,
    },
  ],
};

export const statusSource: IdentitySource<StatusRecord> = {
  registry: 'EDUCATION_MINISTRY',
  // Date of birth and sex come from the CURP.
  echoes: ['CURP', 'BIRTH_DATE', 'SEX'],
  toTexts: ({ curp }) => [{ curp }],
};

const nameFields: readonly IdentityField[] = ['NAMES', 'PATERNAL_SURNAME', 'MATERNAL_SURNAME'];

/**
 * Returns the source for a search by name. `select` returns the person's records, because the search also finds others with the same
 * name. An answer that is a mismatch is used whole.
 */
export function licencesSource(
  select: (records: readonly LicenceRecord[]) => readonly LicenceRecord[],
): IdentitySource<readonly LicenceRecord[]> {
  return {
    registry: 'EDUCATION_MINISTRY',
    echoes: nameFields,
    toTexts: (records, isMismatch) =>
      (isMismatch ? records : select(records)).map(({ curp, nombre, paterno, materno, sexo }) => ({
        curp,
        names: nombre,
        paternalSurname: paterno,
        maternalSurname: materno,
        sex: sexo,
      })),
  };
}
