import { type ProblemsIn, problemsAbout } from '../../identifiers/code-entry';

export const domainCodes = {
  ...problemsAbout(
    {
      group: 'Whose answer it is',
      where: 'With `FOUND`; with `NOT_RUN` if the answer was to provide an identifier',
      charged: 'yes ²',
    },
    {
      IDENTITY_CONFLICT: {
        message: 'The answer contradicts the identifiers or the name that you gave. Do not rely on it.',
        spanish: 'La respuesta contradice los identificadores o el nombre consultados. No se confíe en ella.',
        forUsers: 'The identifiers seem to belong to different people. Please check them.',
        forUsersSpanish: 'Los identificadores parecen ser de personas distintas. Revíselos.',
        toDo: "do not show the record as this person's. Find out which identifier is wrong. `Person.consistency` shows which registries agree.",
      },
      POSSIBLE_RECORDS: {
        where: 'With `FOUND` or `UNAVAILABLE`',
        message: "The registry returned records that may be this person's. Nothing decides it.",
        spanish: 'El registro devolvió datos que podrían ser de esta persona. Nada lo decide.',
        forUsers: 'The registry has records that may be of this person. Please compare them.',
        forUsersSpanish: 'El registro tiene datos que podrían ser de esta persona. Compárelos.',
        toDo: 'show the records of `match: ALL` to a person, or give the CURP and the whole name. Do not conclude that the person has no licence.',
      },
      NAME_WRITTEN_DIFFERENTLY: {
        isRemark: true,
        where: 'With `FOUND`',
        message: 'The registry writes the name differently. See `given` and `recorded`.',
        spanish: 'El registro escribe el nombre de otra forma. Vea `given` y `recorded`.',
        forUsers: 'The registry writes the name differently. Please compare both.',
        forUsersSpanish: 'El registro escribe el nombre de otra forma. Compare ambos.',
        toDo: 'nothing, if the CURP is the same. Otherwise compare both names.',
      },
      CURP_REPLACED: {
        isRemark: true,
        where: 'With `FOUND`',
        message: 'The CURP was replaced. `recorded` is the current one.',
        spanish: 'La CURP fue sustituida. La vigente está en `recorded`.',
        forUsers: 'This CURP was replaced by another one. Please use the current one.',
        forUsersSpanish: 'Esta CURP fue sustituida por otra. Use la vigente.',
        toDo: 'ask with the CURP in `recorded` from now on.',
      },
      NAME_NOT_OF_CURP: {
        isRemark: true,
        where: 'With any outcome of a lookup about a `Person`, and in the price',
        charged: 'see the outcome',
        message: 'The name does not seem to belong to the CURP. Check both.',
        spanish: 'El nombre no parece corresponder a la CURP. Revise ambos.',
        forUsers: 'The name does not seem to belong to the CURP. Please check both.',
        forUsersSpanish: 'El nombre no parece corresponder a la CURP. Revise ambos.',
        toDo: 'compare the first letters of names and surnames with the CURP.',
      },
      EMPLOYER_UNKNOWN: {
        where: 'With `NOT_FOUND`',
        message: 'The service has no record of this registration. The employer may be unknown to it.',
        spanish: 'El servicio no tiene nada con este registro patronal: quizá no conoce al patrón.',
        forUsers: 'This employer registration is unknown. Please check it.',
        forUsersSpanish: 'No se conoce este registro patronal. Revíselo.',
        toDo: 'check the registration. Do not treat this as a month without payments.',
      },
    },
  ),
  ...problemsAbout(
    { group: 'Files to read', where: '`contentProblem`' },
    {
      ANSWER_TOO_LARGE: {
        message: 'The files of this response exceed its limit. Request fewer at once, or download them through `url`.',
        spanish: 'Los archivos de esta respuesta rebasan su límite. Pida menos a la vez, o descárguelos por su `url`.',
        forUsers: 'These are too many files at once. Please open fewer.',
        forUsersSpanish: 'Son demasiados archivos a la vez. Abra menos.',
        toDo: 'request fewer files at once, or download `url`.',
      },
      FILE_SIZE_DIFFERS: {
        message: 'The file is complete, but its size is not the announced one.',
        spanish: 'El archivo está completo, pero su tamaño no es el anunciado.',
        forUsers: 'The file does not have the announced size. Check that it opens.',
        forUsersSpanish: 'El archivo no tiene el tamaño anunciado. Revise que se abra.',
        toDo: 'a warning. `content` has the file. Compare it with the receipt if the difference matters.',
      },
    },
  ),
  ...problemsAbout(
    { group: 'What documents say', where: '`cfdiProblem`' },
    {
      OPINION_UNREADABLE: {
        where: '`FOUND`',
        charged: 'yes ², the document was issued',
        message: 'The result of the opinion cannot be determined. Read `document`.',
        spanish:
          'No se puede leer con certeza lo que dice la opinión. Léala usted mismo: el documento está en `document`.',
        forUsers: 'What the opinion says could not be read with certainty. Please open the document.',
        forUsersSpanish: 'No se pudo leer con certeza lo que dice la opinión. Abra el documento.',
        toDo: 'let a person read `document`.',
      },
      CFDI_UNREADABLE: {
        message: 'The file is not a CFDI 4.0 or 3.3 that padron can read with certainty. Read `content`.',
        spanish: 'El archivo no es un CFDI 4.0 o 3.3 que se pueda leer con certeza. Lea `content`.',
        forUsers: 'The receipt could not be read with certainty. Please open the file.',
        forUsersSpanish: 'El comprobante no se pudo leer con certeza. Abra el archivo.',
        toDo: 'let a person read `content`.',
      },
      CFDI_MISMATCH: {
        message: 'The CFDI contradicts the receipt that it belongs to. Do not rely on it.',
        spanish: 'El CFDI dice algo distinto del comprobante al que pertenece. No se confíe en él.',
        forUsers: 'The receipt contradicts the list. Do not rely on it.',
        forUsersSpanish: 'El comprobante dice algo distinto de la lista. No se confíe en él.',
        toDo: 'show the receipt as disputed.',
      },
    },
  ),
};

declare module '../../registry/answer/problem' {
  interface ProblemCodes extends ProblemsIn<typeof domainCodes> {}
}
