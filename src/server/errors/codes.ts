import type { Graph } from '../../graph/schema/build-schema';
import { type CodeEntry, errorsAbout, inGroups } from '../../identifiers/code-entry';

const serverCodes = {
  ...errorsAbout(
    { group: 'GraphQL errors: the document', where: 'HTTP 400' },
    {
      GRAPHQL_PARSE_FAILED: {
        shows: 'redacted message',
        message:
          'The document is not GraphQL, has too many tokens, more than 20,000 lines, a name of more than 1,000 characters, more than 200 nested levels, or a text that was damaged before it was sent (U+FFFD).',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'correct the document. `locations` says where it fails.',
      },
      GRAPHQL_VALIDATION_FAILED: {
        shows: 'redacted message',
        message:
          'The document does not fit the schema, selects the same field hundreds of times in one place, or has a subscription.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'correct the document. [Types in your own repository](clients.md) find such errors before you send it.',
      },
      OPERATION_RESOLUTION_FAILURE: {
        shows: 'redacted message',
        message: 'The document has several operations and the request names none, or no operation has that name.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'send `operationName`.',
      },
      BAD_USER_INPUT: {
        shows: 'redacted message',
        where: 'HTTP 400, or 200 on a field',
        message:
          'A variable, an argument or a [header](configuration.md#request-headers) is invalid, or was damaged before it was sent (U+FFFD). A header of padron is mistyped (`x-dryrun`), has two values, or is not UTF-8.',
        forUsers: 'One of the values cannot be used. Please check what you entered.',
        forUsersSpanish: 'Alguno de los datos no es válido. Revise lo que escribió.',
        toDo: 'correct the input. For a variable, the message gives its place and the expected type, and for a value in the document its line and column. It never quotes the value.',
      },
      OPERATION_TOO_LARGE: {
        shows: 'message and extensions',
        where: 'HTTP 400, or 200 on `unitEstimate` and on `rows` of a batch',
        message: 'The operation exceeds a limit of its size, or makes too many calls to determine its price.',
        forUsers: 'This is too much for one query. Please ask for less.',
        forUsersSpanish: 'Es demasiado para una sola consulta. Pida menos datos.',
        toDo: 'select less at once. `extensions` has the `limit` (`depth`, `aliases`, `entities`, `signatures`, `nodes`, `bytes`, `estimateNodes`, `questions`), the `value` (null if padron stopped counting) and what is `allowed`.',
      },
      ERRORS_OMITTED: {
        shows: 'message and extensions',
        where: 'HTTP 200',
        charged: 'as its fields say',
        message: 'The last error of an answer with more than 100 errors.',
        forUsers: 'Many parts of this query could not be answered.',
        forUsersSpanish: 'Muchas partes de esta consulta no se pudieron responder.',
        toDo: 'fix the listed errors, or select less at once.',
      },
      OPERATION_NOT_TRUSTED: {
        shows: 'message',
        where: 'HTTP 400, or 200 on `unitEstimate` and on `createRegistryBatch`',
        message: 'This server only runs [trusted documents](trusted-documents.md).',
        forUsers: 'This version of the application is out of date. Please reload the page or update the application.',
        forUsersSpanish:
          'Esta versión de la aplicación ya no está vigente. Recargue la página o actualice la aplicación.',
        toDo: 'give the documents of this version of the frontend to the server, before the frontend itself is deployed. To send any operation, use a JWT with the scope `padron_explore`.',
      },
      // Clients that send only a hash wait for this message, and then send the document too.
      PERSISTED_QUERY_NOT_FOUND: {
        shows: 'message',
        where: 'HTTP 200',
        retryable: true,
        retry: 'with the document',
        message: 'The request names a document by its hash, and padron does not have it.',
        forUsers: 'The query was not sent completely. Please try again.',
        forUsersSpanish: 'La consulta no se envió completa. Inténtelo de nuevo.',
        toDo: 'send the document with the hash. Client libraries do this automatically.',
      },
      PERSISTED_QUERY_NOT_SUPPORTED: {
        shows: 'message',
        where: 'HTTP 200',
        message:
          'The request names a document by its hash, this server only runs [trusted documents](trusted-documents.md), and none of them has this hash.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'send the document instead of its hash. If your client library sends hashes only, give the documents of the frontend to the server.',
      },
    },
  ),
  ...errorsAbout(
    { group: 'GraphQL errors: the request', where: 'HTTP 200 on a field, 401 on an upload and on introspection' },
    {
      UNAUTHENTICATED: {
        shows: 'message',
        message: 'The request has no token, or the service rejected it.',
        forUsers: 'You are not signed in, or your session has expired. Please sign in again.',
        forUsersSpanish: 'No ha iniciado sesión o su sesión expiró. Inicie sesión de nuevo.',
        toDo: 'send `authorization: Bearer <token>` with a token of the service, or with the JWT that this server asks for.',
      },
      FORBIDDEN: {
        shows: 'message',
        where: 'HTTP 403, 200 on a field',
        message: 'The caller may not send this request or select this field. The message says why.',
        forUsers: 'You do not have permission for this.',
        forUsersSpanish: 'No tiene permiso para hacer esto.',
        toDo: 'as listed.',
      },
      BAD_REQUEST: {
        shows: 'message',
        where: 'HTTP 400, or 405, 408, 417, 431',
        message: 'The HTTP request is wrong, for example a body that is not JSON or not UTF-8.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'correct the request. The message says what is wrong.',
      },
      PAYLOAD_TOO_LARGE: {
        where: 'HTTP 413',
        message:
          'The body is larger than `LIMIT_BODY_BYTES`, or the upload has more than two files or more than 60,000 bytes in a file.',
        forUsers: 'What you sent is too large. Please choose smaller files.',
        forUsersSpanish: 'Lo que envió es demasiado grande. Elija archivos más pequeños.',
        toDo: 'send less.',
      },
      UNSUPPORTED_MEDIA_TYPE: {
        where: 'HTTP 415',
        message:
          'The body is neither JSON nor, with files, `multipart/form-data`, is compressed (`content-encoding`), or its charset is unknown.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'send `content-type: application/json`, and UTF-8 without compression.',
      },
      NOT_ACCEPTABLE: {
        where: 'HTTP 406',
        message: 'The `accept` header does not accept JSON.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'accept `application/json` or `application/graphql-response+json`.',
      },
      METHOD_NOT_ALLOWED: {
        where: 'HTTP 405',
        message: 'Send operations by POST.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'send a POST request.',
      },
      NOT_FOUND: {
        where: 'HTTP 404',
        message: 'This address does not exist.',
        forUsers: 'There is a fault in this application. Please contact support.',
        forUsersSpanish: 'Hay una falla en esta aplicación. Comuníquese con soporte.',
        toDo: 'correct the address.',
      },
    },
  ),
  ...errorsAbout(
    { group: 'GraphQL errors: this server', where: 'HTTP 503, or 200 on `verifySignature`', retryable: true },
    {
      OVERLOADED: {
        shows: 'message',
        message:
          'As many requests as `LIMIT_REQUESTS` allows are running, or 1,000 requests of this account (with JWTs: of this client) were answered early and pay for calls that have not ended.',
        forUsers: 'There are too many queries at the moment. Please wait a few seconds and try again.',
        forUsersSpanish: 'Hay demasiadas consultas en este momento. Espere unos segundos e inténtelo de nuevo.',
        toDo: 'retry after `retry-after` seconds, or after a few seconds if the header is missing.',
      },
      SHUTTING_DOWN: {
        where: 'HTTP 503',
        message: 'This instance is stopping and accepts no new work.',
        forUsers: 'The service is restarting. Please try again in a moment.',
        forUsersSpanish: 'El servicio se está reiniciando. Inténtelo de nuevo en un momento.',
        toDo: 'use another instance.',
      },
      INTERNAL_SERVER_ERROR: {
        where: 'HTTP 200 on a field, else 500',
        charged: 'see `extensions.units`',
        retry: 'once',
        message: 'A bug in padron.',
        forUsers: 'Something failed on our side. Please try again. If it happens again, contact support.',
        forUsersSpanish:
          'Algo falló de nuestro lado. Inténtelo de nuevo. Si vuelve a ocurrir, comuníquese con soporte.',
        toDo: 'report the request ID to the operator. If you retry within `REPLAY_SECONDS`, answers that were already paid are free.',
      },
    },
  ),
};

/** Returns every code of a problem or of a GraphQL error, by group. */
export function allCodes({ codes }: Pick<Graph, 'codes'>): readonly CodeEntry[] {
  return inGroups([Object.fromEntries(codes.map((entry) => [entry.code, entry])), serverCodes]);
}
