/** Identifiers that pass their check digits and that no registry of the sandbox knows. */
export const unusedNss = '84966311213';
export const unusedCurp = 'BOXW310820HNERXN09';
export const unusedRegistration = 'Y6077636105';
export const unusedLicence = '99999999';
export const unusedFolio = '00000000-0000-4000-8000-000000000000';
