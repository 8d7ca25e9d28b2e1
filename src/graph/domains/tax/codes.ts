import { type ProblemsIn, problemsAbout } from '../../../identifiers/code-entry';

export const taxCodes = {
  ...problemsAbout(
    { group: 'Files you send', where: '`INVALID_INPUT`' },
    {
      FILE_MISSING: {
        message: 'Give the file either as `upload` or as `base64`, exactly one.',
        spanish: 'Dé el archivo como `upload` o como `base64`: exactamente uno de los dos.',
        forUsers: 'Please choose a file.',
        forUsersSpanish: 'Elija un archivo.',
        toDo: 'give exactly one.',
      },
      FILE_TOO_LARGE: {
        message: 'The file is larger than 60,000 bytes.',
        spanish: 'El archivo mide más de 60,000 bytes.',
        forUsers: 'This file is too large to be a certificate or a key.',
        forUsersSpanish: 'Este archivo es demasiado grande para ser un certificado o una llave.',
        toDo: 'send the certificate or key itself.',
      },
      FILE_INCOMPLETE: {
        retryable: true,
        message: 'The upload ended before the file was complete.',
        spanish: 'La carga terminó antes de que el archivo estuviera completo.',
        forUsers: 'The file did not arrive completely. Please send it again.',
        forUsersSpanish: 'El archivo no llegó completo. Envíelo de nuevo.',
        toDo: 'send it again.',
      },
    },
  ),
  ...problemsAbout(
    { group: 'An electronic signature', where: '`INVALID_INPUT`, `valid: false`' },
    {
      CERTIFICATE_UNREADABLE: {
        where: '`INVALID_INPUT`',
        message: 'The certificate cannot be read.',
        spanish: 'El certificado no se puede leer.',
        forUsers: 'This is not a certificate. Please choose the .cer file.',
        forUsersSpanish: 'Esto no es un certificado. Elija el archivo .cer.',
        toDo: 'send the .cer file. `message` reports whether certificate and key are swapped.',
      },
      CERTIFICATE_EXPIRED: {
        message: 'The certificate has expired.',
        spanish: 'El certificado ya venció.',
        forUsers: 'The certificate has expired. Please use the renewed e.firma.',
        forUsersSpanish: 'El certificado ya venció. Use la e.firma renovada.',
        toDo: 'renew it with the tax authority.',
      },
      CERTIFICATE_NOT_YET_VALID: {
        message: 'The certificate is not valid yet.',
        spanish: 'El certificado todavía no es vigente.',
        forUsers: 'The certificate is not valid yet.',
        forUsersSpanish: 'El certificado todavía no es vigente.',
        toDo: 'wait, or check the clock of the server.',
      },
      KEY_UNREADABLE: {
        where: '`INVALID_INPUT`',
        message: 'The private key cannot be read.',
        spanish: 'La llave privada no se puede leer.',
        forUsers: 'This is not a private key. Please choose the .key file.',
        forUsersSpanish: 'Esto no es una llave privada. Elija el archivo .key.',
        toDo: 'send the .key file.',
      },
      KEY_NOT_ENCRYPTED: {
        where: '`INVALID_INPUT`',
        message: 'The private key is not encrypted. An e.firma key always is.',
        spanish: 'La llave privada no está cifrada; la de una e.firma siempre lo está.',
        forUsers: 'The private key has no password. Please choose the original .key file.',
        forUsersSpanish: 'La llave privada no tiene contraseña. Elija el archivo .key original.',
        toDo: 'send the .key as it was issued.',
      },
      KEY_MISMATCH: {
        message: 'The private key does not belong to the certificate.',
        spanish: 'La llave privada no corresponde al certificado.',
        forUsers: 'The private key and the certificate do not belong together.',
        forUsersSpanish: 'La llave privada y el certificado no corresponden entre sí.',
        toDo: 'send the pair.',
      },
      WRONG_PASSWORD: {
        where: '`INVALID_INPUT`',
        message: 'The password does not open the private key.',
        spanish: 'La contraseña no abre la llave privada.',
        forUsers: 'The password is wrong.',
        forUsersSpanish: 'La contraseña es incorrecta.',
        toDo: 'type it again. Blanks count.',
      },
      RFC_MISMATCH: {
        message: 'The certificate belongs to another RFC than the one given.',
        spanish: 'El certificado pertenece a otro RFC que el dado.',
        forUsers: 'The certificate belongs to another RFC.',
        forUsersSpanish: 'El certificado pertenece a otro RFC.',
        toDo: "give the holder's RFC.",
      },
      NOT_EFIRMA: {
        message: 'The certificate is a digital seal (CSD), not an e.firma.',
        spanish: 'El certificado es un sello digital (CSD), no una e.firma.',
        forUsers: 'This is a digital seal (CSD). Please use the e.firma.',
        forUsersSpanish: 'Este es un sello digital (CSD). Use la e.firma.',
        toDo: 'send the e.firma.',
      },
      UNSUPPORTED_CIPHER: {
        where: 'A warning',
        charged: 'as the answer says',
        message: 'The key uses a cipher that padron cannot check. The service decided.',
        spanish: 'La llave usa un cifrado que aquí no se puede revisar. Lo decidió el servicio.',
        forUsers: 'The key uses another format, so it could not be checked before it was sent.',
        forUsersSpanish: 'La llave es de otro tipo: no se pudo revisar antes de enviarla.',
        toDo: 'if the service cannot read the key, send the .key file as the tax authority issued it.',
      },
      PASSWORD_ENCODING: {
        isRemark: true,
        where: 'A remark',
        charged: 'as the answer says',
        message: 'The password opens the key in an older encoding, which `message` names.',
        spanish: 'La contraseña abre la llave en una codificación anterior, que está en `message`.',
        forUsers: 'The password was set with an older program. Please set a new one if it is rejected.',
        forUsersSpanish: 'La contraseña se puso con un programa anterior. Si se rechaza, ponga otra.',
        toDo: 'if the service rejects it, ask the holder for a new password.',
      },
      UNKNOWN_ISSUER: {
        where: 'A warning',
        charged: 'as the answer says',
        message: 'padron does not know the issuer of the certificate. The service decided.',
        spanish: 'Aquí no se conoce a quien emitió el certificado. Lo decidió el servicio.',
        forUsers: 'The issuer of this certificate is unknown.',
        forUsersSpanish: 'No se conoce a quien emitió este certificado.',
        toDo: 'nothing.',
      },
    },
  ),
};

declare module '../../../registry/answer/problem' {
  interface ProblemCodes extends ProblemsIn<typeof taxCodes> {}
}
