import { errorTexts, type ProblemText, problemTexts } from './code-texts';

/** The codes that this client knows. */
export type ListedCode = keyof typeof problemTexts;

/** The text for a code that is newer than this client. */
const unlisted: ProblemText = {
  en: 'This could not be answered.',
  es: 'Esto no se pudo responder.',
};

/** Text for an error without a code: no response from padron arrived. */
const unreachable: ProblemText = {
  en: 'The service cannot be reached. Please check your connection and try again.',
  es: 'No se pudo contactar al servicio. Revise su conexión e inténtelo de nuevo.',
};

/** Returns the text for the user. A code of a later version gets a general text, which depends on `retryable`. */
export function textOfProblem(
  problem: { readonly code: string; readonly retryable?: boolean },
  language: keyof ProblemText = 'es',
): string {
  if (Object.hasOwn(problemTexts, problem.code)) return problemTexts[problem.code as ListedCode][language];
  return (problem.retryable === true ? problemTexts.REGISTRY_ERROR : unlisted)[language];
}

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
