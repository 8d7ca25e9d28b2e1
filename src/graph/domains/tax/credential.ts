import { SecretBytes } from '../../core/scalars/secret-bytes';
import { type CertificateFacts, type ReadableCertificate, readCertificate } from './certificate';
import { credentialMessages, type LocalizedMessage } from './credential-messages';
import { looksLikePrivateKey, type OpenedKey, openPrivateKey } from './private-key';

/** Result of the local check of a credential, before a call is made. */
export interface CredentialCheck {
  /** Content of the certificate, or null if it cannot be read. */
  readonly certificate: CertificateFacts | null;
  /** Problems with which the call cannot succeed, so it is not made. */
  readonly blockingProblems: readonly CredentialProblem[];
  /** Problems that only the service can decide, so the call is made. */
  readonly warnings: readonly CredentialProblem[];
  /** Password in the form that opens the key, or as given if the key was not opened. */
  readonly password: string;
}

/** A problem of a credential. Its message contains no personal data and no secret. */
export interface CredentialProblem {
  readonly code: CredentialProblemCode;
  readonly message: string;
  readonly spanish: string;
  readonly field: 'rfc' | 'password' | 'certificate' | 'privateKey';
}

export type CredentialProblemCode = BlockingCode | WarningCode;

type BlockingCode =
  | 'CERTIFICATE_UNREADABLE'
  | 'KEY_UNREADABLE'
  | 'KEY_NOT_ENCRYPTED'
  | 'WRONG_PASSWORD'
  | 'KEY_MISMATCH'
  | 'CERTIFICATE_EXPIRED'
  | 'CERTIFICATE_NOT_YET_VALID'
  | 'RFC_MISMATCH'
  | 'NOT_EFIRMA';

type WarningCode = 'UNSUPPORTED_CIPHER' | 'UNKNOWN_ISSUER';

/** Credential as the caller provided it. */
export interface Credential {
  readonly rfc: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** Checks an e.firma as far as possible without a registry. Reports all problems at once. Rejects only if aborted. */
export function checkCredential(credential: Credential, now: Date, signal?: AbortSignal): Promise<CredentialCheck> {
  // The decrypted key is overwritten before the call is made.
  return SecretBytes.during(async (secrets) => {
    const key = await openPrivateKey(credential.privateKey, credential.password, secrets, signal);
    const certificate = readCertificate(credential.certificate);
    const problems = [
      ...(certificate === null
        ? [unreadableCertificate(credential.certificate, secrets)]
        : certificateProblems(certificate, credential.rfc, now)),
      ...keyProblems(key, credential, certificate),
    ];
    return {
      certificate: certificate?.facts ?? null,
      blockingProblems: problems.filter((problem) => !isWarning(problem.code)),
      warnings: problems.filter((problem) => isWarning(problem.code)),
      password: key.kind === 'opened' ? key.password : credential.password,
    };
  });
}

function isWarning(code: CredentialProblemCode): code is WarningCode {
  return code === 'UNSUPPORTED_CIPHER' || code === 'UNKNOWN_ISSUER';
}

function unreadableCertificate(file: Buffer, secrets: SecretBytes): CredentialProblem {
  const isKey = looksLikePrivateKey(file, secrets);
  const message = isKey ? credentialMessages.keyAsCertificate : credentialMessages.noCertificate;
  return { code: 'CERTIFICATE_UNREADABLE', ...message, field: 'certificate' };
}

function certificateProblems(certificate: ReadableCertificate, rfc: string, now: Date): readonly CredentialProblem[] {
  const { facts, isEfirma, namesTaxAuthority } = certificate;
  const found: CredentialProblem[] = [];
  const add = (
    code: CredentialProblemCode,
    message: LocalizedMessage,
    field: CredentialProblem['field'] = 'certificate',
  ) => found.push({ code, ...message, field });

  if (now < facts.validFrom) add('CERTIFICATE_NOT_YET_VALID', credentialMessages.notYetValid);
  if (now > facts.validUntil) add('CERTIFICATE_EXPIRED', credentialMessages.expired);
  if (!isEfirma) add('NOT_EFIRMA', notEfirma(facts));
  if (facts.rfc !== null && facts.rfc !== normalizeRfc(rfc)) add('RFC_MISMATCH', rfcMismatch(certificate, rfc), 'rfc');
  if (!namesTaxAuthority) add('UNKNOWN_ISSUER', credentialMessages.unknownIssuer);
  return found;
}

function notEfirma(facts: CertificateFacts): LocalizedMessage {
  return facts.rfc === null ? credentialMessages.noTaxpayerCode : credentialMessages.otherKind;
}

function rfcMismatch(certificate: ReadableCertificate, rfc: string): LocalizedMessage {
  const isRepresentative = certificate.representativeRfc === normalizeRfc(rfc);
  return isRepresentative ? credentialMessages.representative : credentialMessages.otherTaxpayer;
}

function normalizeRfc(rfc: string): string {
  return rfc.normalize('NFC').trim().toUpperCase();
}

function keyProblems(
  opened: OpenedKey,
  { privateKey, password }: Credential,
  certificate: ReadableCertificate | null,
): readonly CredentialProblem[] {
  switch (opened.kind) {
    case 'opened':
      return certificate === null || belongsTo(opened, certificate) ? [] : [MISMATCHED_KEY];
    case 'unreadable':
      return [unreadableKey(privateKey)];
    case 'notEncrypted':
      return [UNENCRYPTED_KEY];
    case 'unsupported':
      return [UNSUPPORTED_KEY];
    case 'notRsa':
      return [FOREIGN_KEY];
    case 'wrongPassword':
      return [wrongPassword(password)];
  }
}

function belongsTo({ key }: Extract<OpenedKey, { kind: 'opened' }>, { x509 }: ReadableCertificate): boolean {
  try {
    return x509.checkPrivateKey(key);
  } catch {
    return false;
  }
}

const MISMATCHED_KEY: CredentialProblem = {
  code: 'KEY_MISMATCH',
  ...credentialMessages.mismatchedKey,
  field: 'privateKey',
};

const UNENCRYPTED_KEY: CredentialProblem = {
  code: 'KEY_NOT_ENCRYPTED',
  ...credentialMessages.unencryptedKey,
  field: 'privateKey',
};

const UNSUPPORTED_KEY: CredentialProblem = {
  code: 'UNSUPPORTED_CIPHER',
  ...credentialMessages.unsupportedKey,
  field: 'privateKey',
};

const FOREIGN_KEY: CredentialProblem = {
  code: 'KEY_UNREADABLE',
  ...credentialMessages.foreignKey,
  field: 'privateKey',
};

function unreadableKey(file: Buffer): CredentialProblem {
  const message = readCertificate(file) === null ? credentialMessages.noKey : credentialMessages.certificateAsKey;
  return { code: 'KEY_UNREADABLE', ...message, field: 'privateKey' };
}

function wrongPassword(password: string): CredentialProblem {
  const message = password === password.trim() ? credentialMessages.wrongPassword : credentialMessages.blankInPassword;
  return { code: 'WRONG_PASSWORD', ...message, field: 'password' };
}
