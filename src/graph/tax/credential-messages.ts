/** What a problem says, in both languages. */
export interface Words {
  readonly message: string;
  readonly spanish: string;
}

/** What a check of a certificate and its key finds. */
export const credentialMessages = {
  keyAsCertificate: {
    message: 'This is a private key (.key), not a certificate: the two files seem to be swapped.',
    spanish: 'Esta es una llave privada (.key), no un certificado: parece que los dos archivos están intercambiados.',
  },
  noCertificate: {
    message: 'The file is not an X.509 certificate: send the .cer file as the tax authority issued it.',
    spanish: 'El archivo no es un certificado X.509: envíe el archivo .cer tal como lo emitió el SAT.',
  },
  notYetValid: {
    message: 'The certificate is not valid yet.',
    spanish: 'El certificado todavía no es vigente.',
  },
  expired: {
    message: 'The certificate has expired: use the renewed e.firma.',
    spanish: 'El certificado ya venció: use la e.firma renovada.',
  },
  unknownIssuer: {
    message: 'The certificate does not name the tax authority as its issuer; only the service can judge it.',
    spanish: 'El certificado no nombra al SAT como emisor; solo el servicio puede juzgarlo.',
  },
  noTaxpayerCode: {
    message: 'The certificate carries no taxpayer code: it is not an e.firma.',
    spanish: 'El certificado no lleva RFC: no es una e.firma.',
  },
  otherKind: {
    message:
      'The certificate is not an e.firma but another kind, such as a seal for invoices (CSD): use the e.firma (FIEL) files.',
    spanish:
      'El certificado no es una e.firma sino de otro tipo, como un sello para facturas (CSD): use los archivos de la e.firma (FIEL).',
  },
  representative: {
    message: "The taxpayer code is the legal representative's: give the company's, to whom the certificate belongs.",
    spanish: 'El RFC es el del representante legal: dé el de la empresa, a la que pertenece el certificado.',
  },
  otherTaxpayer: {
    message: 'The certificate belongs to another taxpayer code than the one given.',
    spanish: 'El certificado pertenece a otro RFC que el dado.',
  },
  mismatchedKey: {
    message: 'The private key does not belong to the certificate: send the .key and the .cer of the same e.firma.',
    spanish: 'La llave privada no corresponde al certificado: envíe el .key y el .cer de la misma e.firma.',
  },
  unencryptedKey: {
    message: 'The private key is not encrypted: send the .key file as the tax authority issued it, with its password.',
    spanish: 'La llave privada no está cifrada: envíe el archivo .key tal como lo emitió el SAT, con su contraseña.',
  },
  unsupportedKey: {
    message: 'The private key is encrypted in a way that is not opened here; only the service can check its password.',
    spanish:
      'La llave privada está cifrada de un modo que aquí no se abre; solo el servicio puede revisar su contraseña.',
  },
  foreignKey: {
    message: 'The file holds a key of another kind than RSA: send the .key file as the tax authority issued it.',
    spanish: 'El archivo contiene una llave de otro tipo que RSA: envíe el archivo .key tal como lo emitió el SAT.',
  },
  noKey: {
    message: 'The file is not a whole encrypted private key: send the .key file as the tax authority issued it.',
    spanish: 'El archivo no es una llave privada cifrada y completa: envíe el archivo .key tal como lo emitió el SAT.',
  },
  certificateAsKey: {
    message: 'This is a certificate (.cer), not a private key: the two files seem to be swapped.',
    spanish: 'Este es un certificado (.cer), no una llave privada: parece que los dos archivos están intercambiados.',
  },
  wrongPassword: {
    message: 'The password does not open the private key.',
    spanish: 'La contraseña no abre la llave privada.',
  },
  blankInPassword: {
    message:
      'The password does not open the private key. It begins or ends with a blank or a line break: is that meant?',
    spanish:
      'La contraseña no abre la llave privada. Empieza o termina con un espacio o un salto de línea: ¿es a propósito?',
  },
} as const satisfies Readonly<Record<string, Words>>;
