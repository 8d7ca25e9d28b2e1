/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Whether the answers of one operation are about one person. */
export type ConsistencyStatus =
  /** Something differs: the identifiers or the answers may belong to different people. Do not base a decision on them. */
  | 'CONFLICTING'
  /**
   * Three conditions are met. Nothing differs. Two independent sources (you or a registry) have the same CURP, or the same names and
   * first surname; a value that a registry only repeats from the question does not count. The answers link each identifier and the name that you
   * gave. If you gave an NSS, this needs an answer of `credit`, because `housingAccount` returns only the NSS.
   */
  | 'CONSISTENT'
  /** Nothing differs, but too little was asked or answered to say that this is one person. */
  | 'INSUFFICIENT'
  | '%future added value';

/** A file: a part of a multipart request, or its bytes as base64 if a gateway has no multipart. Exactly one of them, 60,000 bytes at most. */
export type FileInput = {
  /** The bytes of the file as base64. */
  readonly base64?: string | null | undefined;
  /** A file part of a multipart request. */
  readonly upload?: File | Blob | null | undefined;
};

/** Parts of an identity. The page "How padron compares people" says which names are the same, and which are written differently. */
export type IdentityField =
  /** Date of birth in the record, or else in its CURP. */
  | 'BIRTH_DATE'
  /** Population registry code. */
  | 'CURP'
  /** Second surname. A registry without one contradicts nothing, but only an equal CURP then makes the answers CONSISTENT. */
  | 'MATERNAL_SURNAME'
  /** First name or names. */
  | 'NAMES'
  /** Social security number. */
  | 'NSS'
  /** First surname. */
  | 'PATERNAL_SURNAME'
  /** Taxpayer code of a person. Compared by the date of birth that it contains. */
  | 'RFC'
  /** Sex in the record, or else in its CURP. A CURP with X contradicts nothing. */
  | 'SEX'
  | '%future added value';

/** A registry with records about a person's identity. */
export type IdentityRegistry =
  /** `licences` (names, sex and, in some records, CURP; those that `match: EXACT` keeps) and `professionalStatus` (CURP). */
  | 'EDUCATION_MINISTRY'
  /** `credit` (NSS, CURP, RFC, names) and `housingAccount` (NSS). */
  | 'HOUSING_FUND'
  /** `identity` (CURP, names, date of birth, sex). */
  | 'POPULATION_REGISTRY'
  | '%future added value';

/** Outcome of a question to a registry. */
export type LookupOutcome =
  /** The registry answered with data (or confirmed what it was asked to verify). Read the data to know whether it is good news: a negative opinion is FOUND too. With the problem ANSWER_MISMATCH or IDENTITY_CONFLICT the data may belong to another person: do not show it as this person's. */
  | 'FOUND'
  /** The input is wrong; see `problems`. Where possible padron detects this itself, at no cost. */
  | 'INVALID_INPUT'
  /** The registry has no record for this input, or only records of others (then with the problem NO_RECORD_MATCHES). A correct, paid answer with its own validation code. */
  | 'NOT_FOUND'
  /** The account or the caller may not use this endpoint. */
  | 'NOT_PERMITTED'
  /** No call was made: an identifier is missing, the unit budget is used up, or the caller disconnected. */
  | 'NOT_RUN'
  /** The registry, the portal behind it or its session failed. `problems` says whether to retry. With the problem STILL_RUNNING the registry has not answered yet: send the same operation again. */
  | 'UNAVAILABLE'
  | '%future added value';

/** Result of a 32-D opinion: whether the employer is up to date with its contributions. */
export type OpinionSense =
  /** Negativa: the employer is not up to date. See `credits`. */
  | 'NEGATIVE'
  /** Sin opinión: the institute has nothing to judge, as no registration is found, all are closed, or none has workers. This is neither good nor bad. */
  | 'NO_OPINION'
  /** Positiva: the employer is up to date with its obligations. */
  | 'POSITIVE'
  | '%future added value';

/** Code of a problem or a warning. The error reference says for each code whether it is charged and what to do. Later versions add codes: a client should handle an unknown code by `retryable` and `message`. */
export type ProblemCode =
  /** The call was sent, but the process ended before it stored the answer. It may have been charged. */
  | 'ANSWER_LOST'
  /** The answer is for a different identifier than the one you asked about, or does not show for which. Do not rely on it. */
  | 'ANSWER_MISMATCH'
  /** The files of this response exceed its limit. Request fewer at once, or download them through `url`. */
  | 'ANSWER_TOO_LARGE'
  /** This account has no such batch. */
  | 'BATCH_NOT_FOUND'
  /** This would exceed a quota of batches. Erase batches that you no longer need. */
  | 'BATCH_QUOTA_EXCEEDED'
  /** The state of the batch does not allow this. */
  | 'BATCH_STATE'
  /** No call was made: the unit budget of this day or month is used up. */
  | 'BUDGET_EXHAUSTED'
  /** No call was made: the caller closed the request. */
  | 'CALLER_GONE'
  /** The certificate has expired. */
  | 'CERTIFICATE_EXPIRED'
  /** The certificate is not valid yet. */
  | 'CERTIFICATE_NOT_YET_VALID'
  /** The certificate cannot be read. */
  | 'CERTIFICATE_UNREADABLE'
  /** The CFDI contradicts the receipt that it belongs to. Do not rely on it. */
  | 'CFDI_MISMATCH'
  /** The file is not a CFDI 4.0 or 3.3 that padron can read with certainty. Read `content`. */
  | 'CFDI_UNREADABLE'
  /** A column seems to have the values of a variable that no column fills. */
  | 'COLUMNS_UNMAPPED'
  /** The CURP was replaced. `recorded` is the current one. */
  | 'CURP_REPLACED'
  /** Earlier batches have answered questions of this batch. Choose with `earlierAnswers` whether it uses them. */
  | 'EARLIER_ANSWERS'
  /** The service has no record of this registration. The employer may be unknown to it. */
  | 'EMPLOYER_UNKNOWN'
  /** A field of the answer is missing or cannot be read. The rest is delivered. */
  | 'FIELD_UNREADABLE'
  /** The upload ended before the file was complete. */
  | 'FILE_INCOMPLETE'
  /** Give the file either as `upload` or as `base64`, exactly one. */
  | 'FILE_MISSING'
  /** The file is complete, but its size is not the announced one. */
  | 'FILE_SIZE_DIFFERS'
  /** The file is larger than 60,000 bytes. */
  | 'FILE_TOO_LARGE'
  /** The full name of the row and the name in the registry have different words. Compare them. */
  | 'FULL_NAME_DIFFERS'
  /** The answer contradicts the identifiers or the name that you gave. Do not rely on it. */
  | 'IDENTITY_CONFLICT'
  /** The social security portal returned a file that is neither PDF nor XML. */
  | 'IMSS_FILETYPE_ERROR'
  /** The social security portal answered with an error. */
  | 'IMSS_HTTP_ERROR'
  /** Folio, period and employer registration do not match. */
  | 'IMSS_INCONSISTENT_DATA'
  /** The session with the social security portal has expired. */
  | 'IMSS_SESSION_EXPIRED'
  /** The account has no session with the social security portal. */
  | 'IMSS_SESSION_REQUIRED'
  /** The service could not reach the social security portal. */
  | 'IMSS_TRANSPORT_ERROR'
  /** The social security portal failed while processing. */
  | 'IMSS_UPSTREAM_ERROR'
  /** The account has no units left. */
  | 'INSUFFICIENT_UNITS'
  /** The input does not have the format of its kind. */
  | 'INVALID_FORMAT'
  /** No call was made: the operations of this account keep as many bytes as they may. End operations that you no longer need, or ask the operator to raise KEEP_ACCOUNT_BYTES. */
  | 'KEEP_QUOTA_EXCEEDED'
  /** The private key does not belong to the certificate. */
  | 'KEY_MISMATCH'
  /** The private key is not encrypted. An e.firma key always is. */
  | 'KEY_NOT_ENCRYPTED'
  /** The private key cannot be read. */
  | 'KEY_UNREADABLE'
  /** No call was made: the ledger is unavailable, and this call needs it for its entry or for a budget that limits it. */
  | 'LEDGER_UNAVAILABLE'
  /** The signed link has expired. Request the document again. */
  | 'LINK_EXPIRED'
  /** The signed link points to a host that this server does not fetch from. */
  | 'LINK_NOT_ALLOWED'
  /** The signed link could not be fetched. */
  | 'LINK_UNREACHABLE'
  /** An identifier that this question needs was not given. */
  | 'MISSING_IDENTIFIER'
  /** The account lacks the permission for this endpoint. */
  | 'MISSING_PERMISSION'
  /** The name does not seem to belong to the CURP. Check both. */
  | 'NAME_NOT_OF_CURP'
  /** The registry writes the name differently. See `given` and `recorded`. */
  | 'NAME_WRITTEN_DIFFERENTLY'
  /** The certificate is a digital seal (CSD), not an e.firma. */
  | 'NOT_EFIRMA'
  /** The service does not allow this endpoint in batch processing. */
  | 'NOT_IN_BATCH'
  /** The registry returned records, but none of this person or employer. */
  | 'NO_RECORD_MATCHES'
  /** No call was made: the operation ended, or the person was erased, while the request ran. */
  | 'OPERATION_ENDED'
  /** The result of the opinion cannot be determined. Read `document`. */
  | 'OPINION_UNREADABLE'
  /** The input is outside the allowed range. */
  | 'OUT_OF_RANGE'
  /** The password opens the key in an older encoding, which `message` names. */
  | 'PASSWORD_ENCODING'
  /** The registry returned records that may be this person's. Nothing decides it. */
  | 'POSSIBLE_RECORDS'
  /** The answer names another price than the price list. */
  | 'PRICE_DIFFERS'
  /** This costs units, and names no purpose. No call was made. */
  | 'PURPOSE_MISSING'
  /** The service limits how often this account may call it. */
  | 'RATE_LIMITED'
  /** The registry service declined the request. */
  | 'REGISTRY_DECLINED'
  /** The registry service failed. */
  | 'REGISTRY_ERROR'
  /** No call was made: this registry keeps failing and is paused for a moment. */
  | 'REGISTRY_PAUSED'
  /** The registry service did not answer in time. */
  | 'REGISTRY_TIMEOUT'
  /** The registry service could not be reached, or the connection broke. */
  | 'REGISTRY_UNREACHABLE'
  /** The registry service refused the input. */
  | 'REJECTED_BY_REGISTRY'
  /** The certificate belongs to another RFC than the one given. */
  | 'RFC_MISMATCH'
  /** Ten rows in a row are UNKNOWN: each may have been charged without a usable answer. Read their problems before you resume the batch. */
  | 'ROWS_UNKNOWN'
  /** No call was made: the service offers its sandbox mode under /api only, and this endpoint might charge. */
  | 'SANDBOX_UNSUPPORTED'
  /** The registry has not answered yet, and the call continues. Send the same operation again to get the answer. It is charged at most once. */
  | 'STILL_RUNNING'
  /** The token held by this server was refused. Its operator must renew it. */
  | 'TOKEN_REFUSED'
  /** No call was made: too many calls of this account were waiting for their turn. */
  | 'TOO_MANY_CALLS'
  /** The unit budget of this request is used up. */
  | 'UNIT_BUDGET_EXCEEDED'
  /** padron does not know the issuer of the certificate. The service decided. */
  | 'UNKNOWN_ISSUER'
  /** The key uses a cipher that padron cannot check. The service decided. */
  | 'UNSUPPORTED_CIPHER'
  /** The service answered with something other than what it documents. */
  | 'UNUSABLE_ANSWER'
  /** The link returned something other than the announced file. */
  | 'UNUSABLE_FILE'
  /** The check digit does not fit the rest of the identifier. */
  | 'WRONG_CHECK_DIGIT'
  /** The password does not open the private key. */
  | 'WRONG_PASSWORD'
  | '%future added value';

/** Whether calls of an endpoint are answered. */
export type RegistryAvailabilityState =
  /** At least a quarter of the last calls failed, took too long or had no usable answer. */
  | 'DEGRADED'
  /** More than three quarters of the last calls were answered. */
  | 'OPERATIONAL'
  /** Calls are refused now, free of charge, because they kept failing: all calls to the registry, or those of this account. The state ends within seconds, so that one call can try again. */
  | 'PAUSED'
  /** The last call of this account to the registry was rejected because the account has no session with its portal. */
  | 'SESSION_NEEDED'
  /** Fewer than five calls ended in the last 15 minutes. */
  | 'UNKNOWN'
  | '%future added value';

/** Whether a call took units from the account. */
export type RegistryBilling =
  /** The call took its price in units. */
  | 'CHARGED'
  /** The call took no units. */
  | 'NOT_CHARGED'
  /** The call was sent but no usable answer arrived. Only the account's statement shows whether it was charged. */
  | 'UNKNOWN'
  | '%future added value';

/** Where an answer came from. */
export type ServedFrom =
  /** An answer that was kept, which cost no units: an earlier request with this `x-operation-id` asked the same question, or one of the account that is not older than `x-max-age` allows. `checkedAt` and `validationCode` are those of the call. */
  | 'KEPT'
  /** A call was made. */
  | 'LIVE'
  /** No call was made. */
  | 'NOT_SENT'
  /** A shared answer, which cost no units. The same question was just answered for this account, was running, or was asked by another field of this request, which reports the cost. */
  | 'REPLAY'
  /** The service's sandbox mode: invented data, no units. Also if a sandbox answer is replayed. */
  | 'SANDBOX'
  | '%future added value';

/** An electronic signature (e.firma) to verify. */
export type SignatureInput = {
  /** The digital certificate (.cer). */
  readonly certificate: FileInput;
  /** The password of the private key. Used in memory only; never logged, stored or shown. */
  readonly password: string;
  /** The private key (.key), as the tax authority issued it: encrypted. */
  readonly privateKey: FileInput;
  /** The holder's taxpayer code (`userId`). */
  readonly rfc: string;
};

export type CertificateCheckQueryVariables = Exact<{
  folio: string;
}>;


export type CertificateCheckQuery = { readonly studyCertificate: { readonly __typename: 'StudyCertificateLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string }>, readonly record: { readonly __typename: 'StudyCertificate', readonly folio: string | null, readonly status: string | null, readonly level: string | null, readonly institution: string | null, readonly career: string | null, readonly gradeAverage: string | null, readonly issuedAt: string | null, readonly names: string | null, readonly paternalSurname: string | null, readonly maternalSurname: string | null } | null } | null };

export type ComplianceOpinionQueryVariables = Exact<{
  registration: string;
}>;


export type ComplianceOpinionQuery = { readonly employer: { readonly __typename: 'Employer', readonly complianceOpinion: { readonly __typename: 'ComplianceOpinionLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly endpoint: string, readonly checkedAt: string | null, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string }>, readonly opinion: { readonly __typename: 'ComplianceOpinion', readonly sense: OpinionSense, readonly issuedOn: string, readonly validUntil: string, readonly folio: string | null, readonly credits: ReadonlyArray<{ readonly __typename: 'FiscalCredit', readonly period: string, readonly registration: string, readonly amount: string }> | null } | null, readonly document: { readonly __typename: 'RegistryFile', readonly contentType: string | null, readonly sizeBytes: number | null, readonly content: string | null } | null } | null } | null };

export type EmployerYearQueryVariables = Exact<{
  registration: string;
  from: string;
  to: string;
}>;


export type EmployerYearQuery = { readonly employer: { readonly __typename: 'Employer', readonly registration: string, readonly receiptsBetween: ReadonlyArray<{ readonly __typename: 'ReceiptsLookup', readonly period: string, readonly count: number | null, readonly outcome: LookupOutcome, readonly records: ReadonlyArray<{ readonly __typename: 'EmployerReceipt', readonly folio: string | null, readonly paidOn: string | null, readonly amount: string | null, readonly files: { readonly __typename: 'ReceiptFilesLookup', readonly outcome: LookupOutcome, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string }>, readonly pdf: { readonly __typename: 'RegistryFile', readonly filename: string | null, readonly url: string | null, readonly expiresAt: string | null } | null, readonly xml: { readonly __typename: 'RegistryFile', readonly filename: string | null, readonly url: string | null, readonly expiresAt: string | null } | null } | null }> | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> }> | null, readonly snapshots: { readonly __typename: 'SnapshotsLookup', readonly outcome: LookupOutcome, readonly records: ReadonlyArray<{ readonly __typename: 'EmployerSnapshot', readonly capturedAt: string | null, readonly name: string | null, readonly rfc: string | null, readonly workers: number | null, readonly riskClass: string | null, readonly riskPremium: string | null, readonly totalImss: string | null, readonly totalRcv: string | null }> | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null, readonly obligatedSubject: { readonly __typename: 'ObligatedSubjectLookup', readonly outcome: LookupOutcome, readonly record: { readonly __typename: 'ObligatedSubject', readonly id: string | null, readonly activity: string | null, readonly division: string | null, readonly riskClass: string | null } | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null } | null };

type Proof_ComplianceOpinionLookup_Fragment = { readonly __typename: 'ComplianceOpinionLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_HousingAccountLookup_Fragment = { readonly __typename: 'HousingAccountLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_HousingCreditLookup_Fragment = { readonly __typename: 'HousingCreditLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_IdentityLookup_Fragment = { readonly __typename: 'IdentityLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_LicencesLookup_Fragment = { readonly __typename: 'LicencesLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_ObligatedSubjectLookup_Fragment = { readonly __typename: 'ObligatedSubjectLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_ProfessionalStatusLookup_Fragment = { readonly __typename: 'ProfessionalStatusLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_ReceiptFilesLookup_Fragment = { readonly __typename: 'ReceiptFilesLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_ReceiptsLookup_Fragment = { readonly __typename: 'ReceiptsLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_SignatureVerification_Fragment = { readonly __typename: 'SignatureVerification', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_SnapshotsLookup_Fragment = { readonly __typename: 'SnapshotsLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

type Proof_StudyCertificateLookup_Fragment = { readonly __typename: 'StudyCertificateLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> };

export type ProofFragment =
  | Proof_ComplianceOpinionLookup_Fragment
  | Proof_HousingAccountLookup_Fragment
  | Proof_HousingCreditLookup_Fragment
  | Proof_IdentityLookup_Fragment
  | Proof_LicencesLookup_Fragment
  | Proof_ObligatedSubjectLookup_Fragment
  | Proof_ProfessionalStatusLookup_Fragment
  | Proof_ReceiptFilesLookup_Fragment
  | Proof_ReceiptsLookup_Fragment
  | Proof_SignatureVerification_Fragment
  | Proof_SnapshotsLookup_Fragment
  | Proof_StudyCertificateLookup_Fragment
;

export type EndpointPricesQueryVariables = Exact<{ [key: string]: never; }>;


export type EndpointPricesQuery = { readonly registryEndpoints: ReadonlyArray<{ readonly __typename: 'RegistryEndpoint', readonly endpoint: string, readonly units: number, readonly permission: string | null, readonly scope: string, readonly batch: boolean, readonly fields: ReadonlyArray<string>, readonly availability: { readonly __typename: 'RegistryAvailability', readonly state: RegistryAvailabilityState, readonly since: string | null, readonly lastAnswerAt: string | null, readonly medianMs: number | null } }> | null };

export type LicenceCheckQueryVariables = Exact<{
  number: string;
}>;


export type LicenceCheckQuery = { readonly professionalLicence: { readonly __typename: 'LicencesLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string }>, readonly records: ReadonlyArray<{ readonly __typename: 'ProfessionalLicence', readonly number: string | null, readonly title: string | null, readonly institution: string | null, readonly registrationYear: number | null, readonly names: string | null, readonly paternalSurname: string | null, readonly maternalSurname: string | null }> | null } | null };

export type PersonCreditQueryVariables = Exact<{
  nss: string;
  curp?: string | null | undefined;
}>;


export type PersonCreditQuery = { readonly person: { readonly __typename: 'Person', readonly credit: { readonly __typename: 'HousingCreditLookup', readonly outcome: LookupOutcome, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string }>, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly units: number, readonly billing: RegistryBilling }, readonly record: { readonly __typename: 'HousingCredit', readonly hasCredit: boolean | null, readonly situation: string | null, readonly names: string | null, readonly paternalSurname: string | null, readonly maternalSurname: string | null } | null } | null } | null };

export type PersonProfileQueryVariables = Exact<{
  nss: string;
}>;


export type PersonProfileQuery = { readonly person: { readonly __typename: 'Person', readonly nss: string | null, readonly credit: { readonly __typename: 'HousingCreditLookup', readonly outcome: LookupOutcome, readonly record: { readonly __typename: 'HousingCredit', readonly hasCredit: boolean | null, readonly situation: string | null, readonly number: string | null, readonly kind: string | null, readonly openedOn: string | null, readonly names: string | null, readonly paternalSurname: string | null, readonly maternalSurname: string | null, readonly curp: string | null, readonly rfc: string | null } | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null, readonly housingAccount: { readonly __typename: 'HousingAccountLookup', readonly outcome: LookupOutcome, readonly record: { readonly __typename: 'HousingAccount', readonly totalBalance: string | null, readonly balance92: string | null, readonly balance97: string | null, readonly employerName: string | null } | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null, readonly identity: { readonly __typename: 'IdentityLookup', readonly outcome: LookupOutcome, readonly record: { readonly __typename: 'RegisteredIdentity', readonly names: string | null, readonly paternalSurname: string | null, readonly maternalSurname: string | null, readonly birthDate: string | null, readonly birthState: string | null, readonly history: { readonly __typename: 'CurpHistory', readonly status: string | null, readonly statusDescription: string | null } | null } | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null, readonly licences: { readonly __typename: 'LicencesLookup', readonly setAside: number | null, readonly outcome: LookupOutcome, readonly records: ReadonlyArray<{ readonly __typename: 'ProfessionalLicence', readonly number: string | null, readonly title: string | null, readonly institution: string | null, readonly registrationYear: number | null }> | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null, readonly professionalStatus: { readonly __typename: 'ProfessionalStatusLookup', readonly outcome: LookupOutcome, readonly record: { readonly __typename: 'ProfessionalStatus', readonly document: { readonly __typename: 'RegistryFile', readonly url: string | null, readonly contentType: string | null } } | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly servedFrom: ServedFrom, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null, readonly retryable: boolean }> } | null, readonly consistency: { readonly __typename: 'PersonConsistency', readonly status: ConsistencyStatus, readonly fields: ReadonlyArray<{ readonly __typename: 'IdentityFieldConsistency', readonly field: IdentityField, readonly agree: ReadonlyArray<IdentityRegistry>, readonly differ: ReadonlyArray<IdentityRegistry>, readonly silent: ReadonlyArray<IdentityRegistry> }> } | null } | null };

export type ReceiptFilesQueryVariables = Exact<{
  registration: string;
  period: string;
  folio: string;
}>;


export type ReceiptFilesQuery = { readonly employer: { readonly __typename: 'Employer', readonly receiptFiles: { readonly __typename: 'ReceiptFilesLookup', readonly outcome: LookupOutcome, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly checkedAt: string | null, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string }>, readonly pdf: { readonly __typename: 'RegistryFile', readonly filename: string | null, readonly contentType: string | null, readonly sizeBytes: number | null, readonly content: string | null, readonly contentProblem: { readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string } | null } | null, readonly xml: { readonly __typename: 'RegistryFile', readonly filename: string | null, readonly contentType: string | null, readonly sizeBytes: number | null, readonly content: string | null, readonly cfdi: { readonly __typename: 'Cfdi', readonly uuid: string, readonly issuedAt: string, readonly certifiedAt: string, readonly total: string, readonly currency: string, readonly issuer: { readonly __typename: 'CfdiParty', readonly rfc: string, readonly name: string | null }, readonly receiver: { readonly __typename: 'CfdiParty', readonly rfc: string, readonly name: string | null }, readonly concepts: ReadonlyArray<{ readonly __typename: 'CfdiConcept', readonly description: string, readonly amount: string }> } | null, readonly cfdiProblem: { readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string } | null, readonly contentProblem: { readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string } | null } | null } | null } | null };

export type BytesFragment = { readonly __typename: 'RegistryFile', readonly filename: string | null, readonly contentType: string | null, readonly sizeBytes: number | null, readonly content: string | null, readonly contentProblem: { readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string } | null };

export type SignatureCheckMutationVariables = Exact<{
  input: SignatureInput;
}>;


export type SignatureCheckMutation = { readonly verifySignature: { readonly __typename: 'SignatureVerification', readonly outcome: LookupOutcome, readonly valid: boolean | null, readonly evidence: { readonly __typename: 'RegistryEvidence', readonly validationCode: string | null, readonly checkedAt: string | null, readonly units: number }, readonly problems: ReadonlyArray<{ readonly __typename: 'RegistryProblem', readonly code: ProblemCode, readonly message: string, readonly path: ReadonlyArray<string> | null }>, readonly certificate: { readonly __typename: 'SignatureCertificate', readonly serialNumber: string, readonly holder: string | null, readonly validFrom: string, readonly validUntil: string } | null } | null };

export const ProofFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proof"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RegistryLookup"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"servedFrom"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<ProofFragment, unknown>;
export const BytesFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Bytes"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RegistryFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"contentProblem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]} as unknown as DocumentNode<BytesFragment, unknown>;
export const CertificateCheckDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CertificateCheck"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"folio"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CertificateFolio"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"studyCertificate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"folio"},"value":{"kind":"Variable","name":{"kind":"Name","value":"folio"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"folio"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"institution"}},{"kind":"Field","name":{"kind":"Name","value":"career"}},{"kind":"Field","name":{"kind":"Name","value":"gradeAverage"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"paternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"maternalSurname"}}]}}]}}]}}]} as unknown as DocumentNode<CertificateCheckQuery, CertificateCheckQueryVariables>;
export const ComplianceOpinionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ComplianceOpinion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"registration"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EmployerRegistration"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"employer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"registration"},"value":{"kind":"Variable","name":{"kind":"Name","value":"registration"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"complianceOpinion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"opinion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sense"}},{"kind":"Field","name":{"kind":"Name","value":"issuedOn"}},{"kind":"Field","name":{"kind":"Name","value":"validUntil"}},{"kind":"Field","name":{"kind":"Name","value":"folio"}},{"kind":"Field","name":{"kind":"Name","value":"credits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"registration"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"document"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ComplianceOpinionQuery, ComplianceOpinionQueryVariables>;
export const EmployerYearDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EmployerYear"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"registration"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EmployerRegistration"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"YearMonth"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"YearMonth"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"employer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"registration"},"value":{"kind":"Variable","name":{"kind":"Name","value":"registration"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registration"}},{"kind":"Field","name":{"kind":"Name","value":"receiptsBetween"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"records"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"folio"}},{"kind":"Field","name":{"kind":"Name","value":"paidOn"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pdf"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"xml"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"snapshots"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"records"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"capturedAt"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"rfc"}},{"kind":"Field","name":{"kind":"Name","value":"workers"}},{"kind":"Field","name":{"kind":"Name","value":"riskClass"}},{"kind":"Field","name":{"kind":"Name","value":"riskPremium"}},{"kind":"Field","name":{"kind":"Name","value":"totalImss"}},{"kind":"Field","name":{"kind":"Name","value":"totalRcv"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"obligatedSubject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"activity"}},{"kind":"Field","name":{"kind":"Name","value":"division"}},{"kind":"Field","name":{"kind":"Name","value":"riskClass"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proof"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RegistryLookup"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"servedFrom"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<EmployerYearQuery, EmployerYearQueryVariables>;
export const EndpointPricesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EndpointPrices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registryEndpoints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"permission"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"batch"}},{"kind":"Field","name":{"kind":"Name","value":"fields"}},{"kind":"Field","name":{"kind":"Name","value":"availability"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"lastAnswerAt"}},{"kind":"Field","name":{"kind":"Name","value":"medianMs"}}]}}]}}]}}]} as unknown as DocumentNode<EndpointPricesQuery, EndpointPricesQueryVariables>;
export const LicenceCheckDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LicenceCheck"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"number"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LicenceNumber"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"professionalLicence"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"number"},"value":{"kind":"Variable","name":{"kind":"Name","value":"number"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"records"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"institution"}},{"kind":"Field","name":{"kind":"Name","value":"registrationYear"}},{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"paternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"maternalSurname"}}]}}]}}]}}]} as unknown as DocumentNode<LicenceCheckQuery, LicenceCheckQueryVariables>;
export const PersonCreditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PersonCredit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"nss"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NSS"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"curp"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CURP"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"person"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"nss"},"value":{"kind":"Variable","name":{"kind":"Name","value":"nss"}}},{"kind":"Argument","name":{"kind":"Name","value":"curp"},"value":{"kind":"Variable","name":{"kind":"Name","value":"curp"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"credit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"billing"}}]}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasCredit"}},{"kind":"Field","name":{"kind":"Name","value":"situation"}},{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"paternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"maternalSurname"}}]}}]}}]}}]}}]} as unknown as DocumentNode<PersonCreditQuery, PersonCreditQueryVariables>;
export const PersonProfileDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PersonProfile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"nss"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NSS"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"person"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"nss"},"value":{"kind":"Variable","name":{"kind":"Name","value":"nss"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nss"}},{"kind":"Field","name":{"kind":"Name","value":"credit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasCredit"}},{"kind":"Field","name":{"kind":"Name","value":"situation"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"openedOn"}},{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"paternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"maternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"curp"}},{"kind":"Field","name":{"kind":"Name","value":"rfc"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"housingAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalBalance"}},{"kind":"Field","name":{"kind":"Name","value":"balance92"}},{"kind":"Field","name":{"kind":"Name","value":"balance97"}},{"kind":"Field","name":{"kind":"Name","value":"employerName"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"identity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"paternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"maternalSurname"}},{"kind":"Field","name":{"kind":"Name","value":"birthDate"}},{"kind":"Field","name":{"kind":"Name","value":"birthState"}},{"kind":"Field","name":{"kind":"Name","value":"history"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusDescription"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"licences"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"setAside"}},{"kind":"Field","name":{"kind":"Name","value":"records"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"institution"}},{"kind":"Field","name":{"kind":"Name","value":"registrationYear"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"professionalStatus"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proof"}},{"kind":"Field","name":{"kind":"Name","value":"record"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"document"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"consistency"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"agree"}},{"kind":"Field","name":{"kind":"Name","value":"differ"}},{"kind":"Field","name":{"kind":"Name","value":"silent"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proof"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RegistryLookup"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"servedFrom"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<PersonProfileQuery, PersonProfileQueryVariables>;
export const ReceiptFilesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReceiptFiles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"registration"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EmployerRegistration"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"period"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"YearMonth"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"folio"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"employer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"registration"},"value":{"kind":"Variable","name":{"kind":"Name","value":"registration"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptFiles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"period"},"value":{"kind":"Variable","name":{"kind":"Name","value":"period"}}},{"kind":"Argument","name":{"kind":"Name","value":"folio"},"value":{"kind":"Variable","name":{"kind":"Name","value":"folio"}}},{"kind":"Argument","name":{"kind":"Name","value":"inline"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pdf"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"xml"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Bytes"}},{"kind":"Field","name":{"kind":"Name","value":"cfdi"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"certifiedAt"}},{"kind":"Field","name":{"kind":"Name","value":"issuer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rfc"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"receiver"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rfc"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"concepts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"cfdiProblem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Bytes"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RegistryFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"contentProblem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]} as unknown as DocumentNode<ReceiptFilesQuery, ReceiptFilesQueryVariables>;
export const SignatureCheckDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SignatureCheck"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SignatureInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"verifySignature"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validationCode"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"Field","name":{"kind":"Name","value":"certificate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serialNumber"}},{"kind":"Field","name":{"kind":"Name","value":"holder"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"validUntil"}}]}}]}}]}}]} as unknown as DocumentNode<SignatureCheckMutation, SignatureCheckMutationVariables>;