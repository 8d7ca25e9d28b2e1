import type { HttpFailure } from './transport';

interface Explanation {
  readonly message: string;
  readonly spanish: string;
}

const explanations: Readonly<Record<string, Explanation>> = {
  'larger than the limit': {
    message: 'The body is larger than padron reads.',
    spanish: 'el cuerpo es más grande de lo que padron lee.',
  },
  'broken gzip': {
    message: 'The body is packed as gzip, and is broken or ends early.',
    spanish: 'el cuerpo está comprimido con gzip y está dañado o incompleto.',
  },
  UND_ERR_HEADERS_OVERFLOW: {
    message: 'The headers exceed 64 KiB.',
    spanish: 'los encabezados rebasan 64 KiB.',
  },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    message: 'The body does not have the announced length.',
    spanish: 'el cuerpo no tiene la longitud anunciada.',
  },
};

/** Explains why a response that arrived cannot be used. */
export function explainTransfer({ detail }: HttpFailure): Explanation {
  const [, coding] = /^packed as ([a-z-]+)$/.exec(detail) ?? [];
  if (coding !== undefined)
    return {
      message: `The body has the coding ${coding}, which padron did not ask for.`,
      spanish: `el cuerpo tiene la codificación ${coding}, que padron no pidió.`,
    };
  return explanations[detail] ?? { message: 'It is not valid HTTP.', spanish: 'no es HTTP válido.' };
}
