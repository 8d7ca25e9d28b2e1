import { type ProblemText, problemTexts } from './problem-texts';

const ourSide: ProblemText = {
  en: 'There is a fault in this application. Please contact support.',
  es: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
};

/** A text for every code of a GraphQL error that is not also a code of a problem. Adapt them to the language of your product. */
export const errorTexts = {
  UNAUTHENTICATED: {
    en: 'You are not signed in, or your session has expired. Please sign in again.',
    es: 'No ha iniciado sesión o su sesión expiró. Inicie sesión de nuevo.',
  },
  FORBIDDEN: {
    en: 'You do not have permission for this.',
    es: 'No tiene permiso para hacer esto.',
  },
  OVERLOADED: {
    en: 'There are too many queries at the moment. Please wait a few seconds and try again.',
    es: 'Hay demasiadas consultas en este momento. Espere unos segundos e inténtelo de nuevo.',
  },
  SHUTTING_DOWN: {
    en: 'The service is restarting. Please try again in a moment.',
    es: 'El servicio se está reiniciando. Inténtelo de nuevo en un momento.',
  },
  INTERNAL_SERVER_ERROR: {
    en: 'Something failed on our side. Please try again. If it happens again, contact support.',
    es: 'Algo falló de nuestro lado. Inténtelo de nuevo. Si vuelve a ocurrir, comuníquese con soporte.',
  },
  LEDGER_OFF: {
    en: 'The record of queries is not available here.',
    es: 'El registro de consultas no está disponible aquí.',
  },
  LEDGER_KEY_MISSING: {
    en: 'Part of the record of queries cannot be searched at the moment. Please contact support.',
    es: 'Una parte del registro de consultas no se puede buscar por ahora. Comuníquese con soporte.',
  },
  BATCHES_OFF: {
    en: 'Batches are not available here.',
    es: 'Los lotes no están disponibles aquí.',
  },
  BAD_USER_INPUT: {
    en: 'One of the values cannot be used. Please check what you entered.',
    es: 'Alguno de los datos no es válido. Revise lo que escribió.',
  },
  OPERATION_TOO_LARGE: {
    en: 'This is too much for one query. Please ask for less.',
    es: 'Es demasiado para una sola consulta. Pida menos datos.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    en: 'This was already sent with other data. Please reload the page and try again.',
    es: 'Esto ya se envió con otros datos. Recargue la página e inténtelo de nuevo.',
  },
  IDEMPOTENCY_RESULT_LOST: {
    en: 'This was already sent, and its result was lost. Please check whether it was done before you send it again.',
    es: 'Esto ya se envió y su resultado se perdió. Revise si se realizó antes de enviarlo otra vez.',
  },
  DRY_RUN: {
    en: 'Only the price was requested, so nothing was looked up.',
    es: 'Solo se pidió el precio, así que no se consultó nada.',
  },
  OPERATION_NOT_TRUSTED: {
    en: 'This version of the application is out of date. Please reload the page or update the application.',
    es: 'Esta versión de la aplicación ya no está vigente. Recargue la página o actualice la aplicación.',
  },
  ERRORS_OMITTED: {
    en: 'Many parts of this query could not be answered.',
    es: 'Muchas partes de esta consulta no se pudieron responder.',
  },
  PAYLOAD_TOO_LARGE: {
    en: 'What you sent is too large. Please choose smaller files.',
    es: 'Lo que envió es demasiado grande. Elija archivos más pequeños.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    en: 'The query was not sent completely. Please try again.',
    es: 'La consulta no se envió completa. Inténtelo de nuevo.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: ourSide,
  GRAPHQL_PARSE_FAILED: ourSide,
  GRAPHQL_VALIDATION_FAILED: ourSide,
  OPERATION_RESOLUTION_FAILURE: ourSide,
  BAD_REQUEST: ourSide,
  UNSUPPORTED_MEDIA_TYPE: ourSide,
  NOT_ACCEPTABLE: ourSide,
  METHOD_NOT_ALLOWED: ourSide,
  NOT_FOUND: ourSide,
} as const satisfies Readonly<Record<string, ProblemText>>;

const unlisted: ProblemText = {
  en: 'This could not be answered.',
  es: 'Esto no se pudo responder.',
};

/** Text for an error without a code: no response from padron arrived. */
const unreachable: ProblemText = {
  en: 'The service cannot be reached. Please check your connection and try again.',
  es: 'No se pudo contactar al servicio. Revise su conexión e inténtelo de nuevo.',
};

/**
 * Returns the code of a failed operation: of one GraphQL error, or of the first one in the error of Apollo Client or urql.
 * Returns null if no response from padron arrived.
 */
export function codeOfError(error: unknown): string | null {
  const codes = graphqlErrorsOf(error).map((graphqlError) => Object(Object(graphqlError).extensions).code);
  return codes.find((code) => typeof code === 'string') ?? null;
}

/** Returns the text for the user about a failed operation. `error` is the same as for `codeOfError`. */
export function textOfError(error: unknown, language: keyof ProblemText = 'es'): string {
  const code = codeOfError(error);
  if (code === null) return (graphqlErrorsOf(error).length > 0 ? unlisted : unreachable)[language];
  const texts: Readonly<Record<string, ProblemText>> = { ...problemTexts, ...errorTexts };
  return (Object.hasOwn(texts, code) ? texts[code] : unlisted)?.[language] ?? unlisted[language];
}

function graphqlErrorsOf(error: unknown): readonly unknown[] {
  const { errors, graphQLErrors, bodyText, extensions } = Object(error);
  if (Array.isArray(errors)) return errors; // CombinedGraphQLErrors of Apollo Client
  if (Array.isArray(graphQLErrors)) return graphQLErrors; // CombinedError of urql
  // ServerError of Apollo Client, for a status such as 503.
  if (typeof bodyText === 'string') return errorsInBody(bodyText);
  return extensions === undefined ? [] : [error];
}

function errorsInBody(text: string): readonly unknown[] {
  try {
    const { errors } = Object(JSON.parse(text));
    return Array.isArray(errors) ? errors : [];
  } catch {
    return []; // A page of HTML, from a proxy.
  }
}
