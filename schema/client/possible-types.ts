/**
 * The types that implement an interface. Both caches need them for fragments on the interface, such as `fragment Proof on RegistryLookup`.
 * Without them, Apollo Client drops such a fragment, and graphcache guesses.
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
