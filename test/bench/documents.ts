const proof = `fragment Proof on RegistryLookup {
  outcome
  evidence { validationCode endpoint status checkedAt servedFrom units billing }
  problems { code message path retryable }
}`;

const credit = `${proof}
fragment Credit on HousingCreditLookup {
  ...Proof
  record { hasCredit situation number kind openedOn names paternalSurname maternalSurname curp rfc }
}`;

export const singleCredit = `query Credit($nss: NSS!) { person(nss: $nss) { nss credit { ...Credit } } }
${credit}`;

const profile = `{
    nss
    credit { ...Credit }
    housingAccount { ...Proof record { totalBalance balance92 balance97 employerName } }
    identity {
      ...Proof
      record { names paternalSurname maternalSurname birthDate birthState history { status statusDescription } }
    }
    licences { ...Proof records { number title institution registrationYear } }
    professionalStatus { ...Proof record { document { url contentType } } }
  }`;

export const personProfile = `query PersonProfile($nss: NSS!) {
  person(nss: $nss) ${profile}
}
${credit}`;

/** The profile, and a month of the employer's receipts: six calls. */
export const workerProfile = `query WorkerProfile($nss: NSS!, $registration: EmployerRegistration!, $month: YearMonth!) {
  person(nss: $nss) ${profile}
  employer(registration: $registration) { receiptsBetween(from: $month, to: $month) { ...Proof count } }
}
${credit}`;

const year = (name: string, filesOf: string) => `query ${name}(
  $registration: EmployerRegistration!, $from: YearMonth!, $to: YearMonth!
) {
  employer(registration: $registration) {
    registration
    receiptsBetween(from: $from, to: $to) { ...Proof period count records { folio paidOn amount ${filesOf} } }
  }
}
${proof}`;

export const employerYear = year(
  'EmployerYear',
  'files { outcome pdf { filename url expiresAt } xml { filename url expiresAt } }',
);

export const employerYearInline = year(
  'EmployerYearInline',
  'files(inline: true) { outcome pdf { filename content } xml { filename content } }',
);

/** So many aliases, in turn over so many people. */
export function aliases(count: number, people: number): string {
  const variables = Array.from({ length: people }, (_, index) => `$n${index}: NSS!`).join(', ');
  const fields = Array.from(
    { length: count },
    (_, index) => `a${index}: person(nss: $n${index % people}) { credit { ...Credit } }`,
  );
  return `query Aliases${count}(${variables}) {\n${fields.join('\n')}\n}\n${credit}`;
}

export const entities = `query Entities($representations: [_Any!]!) {
  _entities(representations: $representations) { ... on Person { nss credit { ...Credit } } }
}
${credit}`;

const generatedCredit = `{ ... on HousingCreditAnswer { codigoValidacion status message data {
  estatus_credito situacioncredito num_credito tipo_credito fechaOrigen nombre apPaterno apMaterno scurp rfc } } }`;

/** The same question in the words of a graph that was generated from the service's OpenAPI document. */
export const generatedSingleCredit = `query Credit($nss: NonNegativeInt!) { findCredit(nss: $nss) ${generatedCredit} }`;

export function generatedAliases(count: number, people: number): string {
  const variables = Array.from({ length: people }, (_, index) => `$n${index}: NonNegativeInt!`).join(', ');
  const fields = Array.from(
    { length: count },
    (_, index) => `a${index}: findCredit(nss: $n${index % people}) ${generatedCredit}`,
  );
  return `query Aliases${count}(${variables}) {\n${fields.join('\n')}\n}`;
}
