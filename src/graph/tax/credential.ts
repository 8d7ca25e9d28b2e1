import { type CertificateFacts, type ReadableCertificate, readCertificate } from './certificate';
import { looksLikePrivateKey, type OpenedKey, openPrivateKey } from './private-key';

/** What was found out about a credential here, before a unit is spent. */
export interface CredentialCheck {
  /** Null when the certificate cannot be read. */
  readonly certificate: CertificateFacts | null;
  /** With any of these it cannot succeed and is never sent. */
  readonly blockingProblems: readonly CredentialProblem[];
  /** What only the service can tell: it is sent. */
  readonly warnings: readonly CredentialProblem[];
  /** The password as it opens the key, which may have been typed in another form; as typed where it was not opened. */
  readonly password: string;
}

/** One thing wrong with a credential, in words that name no person and no secret. */
export interface CredentialProblem {
  readonly code: CredentialProblemCode;
  readonly message: string;
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

/** The holder's taxpayer code, the password and the two files, as the caller gave them. */
export interface Credential {
  readonly rfc: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** Checks everything about an e.firma that needs no registry, and reports all that is wrong at once. Rejects only when aborted. */
export async function checkCredential(
  credential: Credential,
  now: Date,
  signal?: AbortSignal,
): Promise<CredentialCheck> {
  const key = await openPrivateKey(credential.privateKey, credential.password, signal);
  const certificate = readCertificate(credential.certificate);
  const problems = [
    ...(certificate === null
      ? [unreadableCertificate(credential.certificate)]
      : certificateProblems(certificate, credential.rfc, now)),
    ...keyProblems(key, credential, certificate),
  ];
  return {
    certificate: certificate?.facts ?? null,
    blockingProblems: problems.filter((problem) => !isWarning(problem.code)),
    warnings: problems.filter((problem) => isWarning(problem.code)),
    password: key.kind === 'opened' ? key.password : credential.password,
  };
}

function isWarning(code: CredentialProblemCode): code is WarningCode {
  return code === 'UNSUPPORTED_CIPHER' || code === 'UNKNOWN_ISSUER';
}

function unreadableCertificate(file: Buffer): CredentialProblem {
  return {
    code: 'CERTIFICATE_UNREADABLE',
    message: looksLikePrivateKey(file)
      ? 'This is a private key (.key), not a certificate: the two files seem to be swapped.'
      : 'The file is not an X.509 certificate: send the .cer file as the tax authority issued it.',
    field: 'certificate',
  };
}

function certificateProblems(certificate: ReadableCertificate, rfc: string, now: Date): readonly CredentialProblem[] {
  const { facts, isEfirma, namesTaxAuthority } = certificate;
  const found: CredentialProblem[] = [];
  const add = (code: CredentialProblemCode, message: string, field: CredentialProblem['field'] = 'certificate') =>
    found.push({ code, message, field });

  if (now < facts.validFrom) add('CERTIFICATE_NOT_YET_VALID', 'The certificate is not valid yet.');
  if (now > facts.validUntil) add('CERTIFICATE_EXPIRED', 'The certificate has expired: use the renewed e.firma.');
  if (!isEfirma) add('NOT_EFIRMA', notEfirma(facts));
  if (facts.rfc !== null && facts.rfc !== normalizeRfc(rfc)) add('RFC_MISMATCH', rfcMismatch(certificate, rfc), 'rfc');
  if (!namesTaxAuthority) {
    add(
      'UNKNOWN_ISSUER',
      'The certificate does not name the tax authority as its issuer; only the service can judge it.',
    );
  }
  return found;
}

function notEfirma(facts: CertificateFacts): string {
  return facts.rfc === null
    ? 'The certificate carries no taxpayer code: it is not an e.firma.'
    : 'The certificate is not an e.firma but another kind, such as a seal for invoices (CSD): use the e.firma (FIEL) files.';
}

function rfcMismatch(certificate: ReadableCertificate, rfc: string): string {
  return certificate.representativeRfc === normalizeRfc(rfc)
    ? "The taxpayer code is the legal representative's: give the company's, to whom the certificate belongs."
    : 'The certificate belongs to another taxpayer code than the one given.';
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
  message: 'The private key does not belong to the certificate: send the .key and the .cer of the same e.firma.',
  field: 'privateKey',
};

const UNENCRYPTED_KEY: CredentialProblem = {
  code: 'KEY_NOT_ENCRYPTED',
  message: 'The private key is not encrypted: send the .key file as the tax authority issued it, with its password.',
  field: 'privateKey',
};

const UNSUPPORTED_KEY: CredentialProblem = {
  code: 'UNSUPPORTED_CIPHER',
  message: 'The private key is encrypted in a way that is not opened here; only the service can check its password.',
  field: 'privateKey',
};

const FOREIGN_KEY: CredentialProblem = {
  code: 'KEY_UNREADABLE',
  message: 'The file holds a key of another kind than RSA: send the .key file as the tax authority issued it.',
  field: 'privateKey',
};

function unreadableKey(file: Buffer): CredentialProblem {
  return {
    code: 'KEY_UNREADABLE',
    message:
      readCertificate(file) === null
        ? 'The file is not a whole encrypted private key: send the .key file as the tax authority issued it.'
        : 'This is a certificate (.cer), not a private key: the two files seem to be swapped.',
    field: 'privateKey',
  };
}

function wrongPassword(password: string): CredentialProblem {
  const hint = password === password.trim() ? '' : ' It begins or ends with a blank or a line break: is that meant?';
  return { code: 'WRONG_PASSWORD', message: `The password does not open the private key.${hint}`, field: 'password' };
}
