/**
 * Which types are lookups. Both caches need it: a fragment on the interface (`fragment Proof on RegistryLookup`) is
 * dropped by Apollo Client, and guessed at by graphcache, when they do not know what implements it.
 */
export const possibleTypes: { readonly RegistryLookup: string[] } = {
  RegistryLookup: [
    'ComplianceOpinionLookup',
    'HousingAccountLookup',
    'HousingCreditLookup',
    'IdentityLookup',
    'LicencesLookup',
    'ObligatedSubjectLookup',
    'ProfessionalStatusLookup',
    'ReceiptFilesLookup',
    'ReceiptsLookup',
    'SignatureVerification',
    'SnapshotsLookup',
    'StudyCertificateLookup',
  ],
};
