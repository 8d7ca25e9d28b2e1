/** Message of a problem in both languages. */
export interface LocalizedMessage {
  readonly message: string;
  readonly spanish: string;
}

/** Messages about a certificate and its key. */
export const credentialMessages = {
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
      'The private key is encrypted in a way that padron does not support. Only the service can check its password.',
    spanish:
      'La llave privada está cifrada de un modo que padron no admite. Solo el servicio puede revisar su contraseña.',
  },
  foreignKey: {
    message: 'The file contains a key that is not RSA. Send the .key file as the tax authority issued it.',
    spanish: 'El archivo contiene una llave que no es RSA. Envíe el archivo .key tal como lo emitió el SAT.',
  },
  noKey: {
    message: 'The file is not a complete encrypted private key. Send the .key file as the tax authority issued it.',
    spanish: 'El archivo no es una llave privada cifrada y completa. Envíe el archivo .key tal como lo emitió el SAT.',
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
