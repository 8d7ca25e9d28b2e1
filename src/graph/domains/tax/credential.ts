import { SecretBytes } from '../../core/scalars/secret-bytes';
import { type CertificateFacts, type ReadableCertificate, readCertificate } from './certificate';
import type { taxCodes } from './codes';
import { looksLikePrivateKey, type OpenedKey, openPrivateKey } from './private-key';

interface LocalizedMessage {
  readonly message: string;
  readonly spanish: string;
}

const credentialMessages = {
  keyAsCertificate: {
    message: 'This is a private key (.key), not a certificate. The two files may be swapped.',
    spanish:
      'Esta es una llave privada (.key), no un certificado. Es posible que los dos archivos estén intercambiados.',
  },
  noCertificate: {
    message: 'The file is not an X.509 certificate. Send the .cer file as the tax authority issued it.',
    spanish: 'El archivo no es un certificado X.509. Envíe el archivo .cer tal como lo emitió el SAT.',
  },
  notYetValid: {
    message: 'The certificate is not valid yet. Wait until it is.',
    spanish: 'El certificado todavía no es vigente. Espere a que lo sea.',
  },
  expired: {
    message: 'The certificate has expired. Use the renewed e.firma.',
    spanish: 'El certificado ya venció. Use la e.firma renovada.',
  },
  unknownIssuer: {
    message: 'The certificate does not name the tax authority as its issuer. Only the service can verify it.',
    spanish: 'El certificado no nombra al SAT como emisor. Solo el servicio puede verificarlo.',
  },
  noTaxpayerCode: {
    message: 'The certificate has no taxpayer code, so it is not an e.firma. Use the e.firma (FIEL) files.',
    spanish: 'El certificado no lleva RFC, así que no es una e.firma. Use los archivos de la e.firma (FIEL).',
  },
  otherKind: {
    message:
      'The certificate is not an e.firma but another kind, such as a seal for invoices (CSD). Use the e.firma (FIEL) files.',
    spanish:
      'El certificado no es una e.firma sino de otro tipo, como un sello para facturas (CSD). Use los archivos de la e.firma (FIEL).',
  },
  representative: {
    message:
      'The taxpayer code is the one of the legal representative. Use the one of the company that the certificate belongs to.',
    spanish: 'El RFC es el del representante legal. Use el de la empresa a la que pertenece el certificado.',
  },
  otherTaxpayer: {
    message: 'The certificate belongs to a different taxpayer code. Correct the code or send the right certificate.',
    spanish: 'El certificado pertenece a otro RFC. Corrija el RFC o envíe el certificado correcto.',
  },
  mismatchedKey: {
    message: 'The private key does not belong to the certificate. Send the .key and the .cer of the same e.firma.',
    spanish: 'La llave privada no corresponde al certificado. Envíe el .key y el .cer de la misma e.firma.',
  },
  unencryptedKey: {
    message: 'The private key is not encrypted. Send the .key file as the tax authority issued it, with its password.',
    spanish: 'La llave privada no está cifrada. Envíe el archivo .key tal como lo emitió el SAT, con su contraseña.',
  },
  unsupportedKey: {
    message:
      'The private key is encrypted in a way that padron does not support. Only the service can check its password. If it cannot read the key, send the .key file as the tax authority issued it.',
    spanish:
      'La llave privada está cifrada de un modo que padron no admite. Solo el servicio puede revisar su contraseña. Si no puede leerla, envíe el archivo .key tal como lo emitió el SAT.',
  },
  foreignKey: {
    message: 'The file contains a key that is not RSA. Send the .key file as the tax authority issued it.',
    spanish: 'El archivo contiene una llave que no es RSA. Envíe el archivo .key tal como lo emitió el SAT.',
  },
  noKey: {
    message:
      'The file is not a complete encrypted private key: it may have been cut, or changed by a transfer as text. Send the .key file as the tax authority issued it.',
    spanish:
      'El archivo no es una llave privada cifrada y completa: quizá se cortó o se dañó al transferirlo como texto. Envíe el archivo .key tal como lo emitió el SAT.',
  },
  certificateAsKey: {
    message: 'This is a certificate (.cer), not a private key. The two files may be swapped.',
    spanish:
      'Este es un certificado (.cer), no una llave privada. Es posible que los dos archivos estén intercambiados.',
  },
  wrongPassword: {
    message: 'The password does not open the private key. Check the password.',
    spanish: 'La contraseña no abre la llave privada. Revise la contraseña.',
  },
  blankInPassword: {
    message:
      'The password does not open the private key. It begins or ends with a space or a line break. Check whether that is intended.',
    spanish:
      'La contraseña no abre la llave privada. Empieza o termina con un espacio o un salto de línea. Revise si es intencional.',
  },
} as const satisfies Readonly<Record<string, LocalizedMessage>>;

export interface CredentialCheck {
  /** Content of the certificate, or null if it cannot be read. */
  readonly certificate: CertificateFacts | null;
  /** Problems with which the call cannot succeed, so it is not made. */
  readonly blockingProblems: readonly CredentialProblem[];
  /** Problems that only the service can decide, so the call is made. */
  readonly warnings: readonly CredentialProblem[];
  /** Password in the form that opens the key, or as given if the key was not opened. */
  readonly password: string;
  /** The certificate of the holder in DER, or the file as given if it cannot be read. */
  readonly certificateFile: Buffer;
}

/** A problem of a credential. Its message contains no personal data and no secret. */
export interface CredentialProblem {
  readonly code: keyof typeof taxCodes;
  readonly message: string;
  readonly spanish: string;
  readonly field: 'rfc' | 'password' | 'certificate' | 'privateKey';
}

export interface Credential {
  readonly rfc: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** Checks an e.firma as far as possible without a registry. Reports all problems at once. Rejects only if aborted. */
export function checkCredential(credential: Credential, now: Date, signal?: AbortSignal): Promise<CredentialCheck> {
  // The decrypted key is overwritten before the call is made.
  return SecretBytes.using(async (secrets) => {
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
      certificateFile: certificate?.x509.raw ?? credential.certificate,
    };
  });
}

function isWarning(code: keyof typeof taxCodes): boolean {
  return code === 'UNSUPPORTED_CIPHER' || code === 'UNKNOWN_ISSUER' || code === 'PASSWORD_ENCODING';
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
    code: keyof typeof taxCodes,
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
      if (certificate !== null && !belongsTo(opened, certificate)) return [MISMATCHED_KEY];
      return opened.encoding === null ? [] : [passwordEncoding(opened.encoding)];
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

function passwordEncoding(encoding: string): CredentialProblem {
  return {
    code: 'PASSWORD_ENCODING',
    message: `The password opens the key if it is written in ${encoding}, as an older program did. If the service rejects it, ask the holder to set a new password with the tax authority's program.`,
    spanish: `La contraseña abre la llave si se escribe en ${encoding}, como lo hizo un programa anterior. Si el servicio la rechaza, pida al titular que ponga otra contraseña con el programa del SAT.`,
    field: 'password',
  };
}

function wrongPassword(password: string): CredentialProblem {
  const message = password === password.trim() ? credentialMessages.wrongPassword : credentialMessages.blankInPassword;
  return { code: 'WRONG_PASSWORD', ...message, field: 'password' };
}
