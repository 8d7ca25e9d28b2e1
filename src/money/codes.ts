import { errorsAbout, type ProblemsIn, problemsAbout } from '../identifiers/code-entry';

export const moneyCodes = {
  ...problemsAbout(
    { group: 'Permission, token, money', where: '`NOT_RUN`' },
    {
      UNIT_BUDGET_EXCEEDED: {
        where: '`NOT_RUN` as a problem, HTTP 200 as a GraphQL error',
        message: 'The unit budget of this request is used up.',
        spanish: 'El presupuesto de unidades de esta petición se agotó.',
        forUsers: 'This query was not made: it would cost more than allowed.',
        forUsersSpanish: 'No se consultó: costaría más de lo permitido.',
        toDo: 'raise `x-max-units`, or select less. See [money](money.md#set-a-limit).',
      },
      PURPOSE_MISSING: {
        where: 'HTTP 400 as a GraphQL error, or a problem of a batch',
        message: 'This costs units, and names no purpose. No call was made.',
        spanish: 'Esto cuesta unidades y no indica su finalidad. No se consultó.',
        forUsers: 'This query was not made: it has to say what it is for.',
        forUsersSpanish: 'No se consultó: falta indicar para qué es la consulta.',
        toDo: 'send one of them in the header `x-purpose`, or as `purpose` of a new batch. See [name the purpose](compliance.md#name-the-purpose).',
      },
      BUDGET_EXHAUSTED: {
        where: '`NOT_RUN` as a problem, HTTP 200 as a GraphQL error',
        retryable: true,
        retry: 'when the next day or month begins',
        message: 'No call was made: the unit budget of this day or month is used up.',
        spanish: 'No se consultó: el presupuesto de unidades de este día o mes se agotó.',
        forUsers: 'The budget for this period is used up. Please try again after it resets, or have it raised.',
        forUsersSpanish:
          'El presupuesto de este periodo se agotó. Inténtelo cuando se renueve, o pida que lo aumenten.',
        toDo: 'wait `retryAfter` seconds, ask for a higher budget, or settle calls whose billing is unknown.',
      },
      KEEP_QUOTA_EXCEEDED: {
        shows: 'message',
        where: '`NOT_RUN`, or HTTP 400 as a GraphQL error',
        message:
          'No call was made: the operations of this account keep as many bytes as they may. End operations that you no longer need, or ask the operator to raise KEEP_ACCOUNT_BYTES.',
        spanish:
          'No se consultó: las operaciones de esta cuenta ya guardan todo lo permitido. Termine las que ya no necesite.',
        forUsers: 'This query was not made: the space for saved answers is full.',
        forUsersSpanish: 'No se consultó: ya no hay espacio para guardar la respuesta.',
        toDo: 'use `endRegistryOperation`, erase batches, or wait until they end.',
      },
      OPERATION_ENDED: {
        retryable: true,
        message: 'No call was made: the operation ended, or the person was erased, while the request ran.',
        spanish: 'No se consultó: la operación terminó, o se suprimió a la persona, durante la petición.',
        forUsers: 'This query was not made, because its job was ended. Please try again.',
        forUsersSpanish: 'No se consultó, porque su tarea se dio por terminada. Inténtelo de nuevo.',
        toDo: 'send the request again if you still need the answer. With `x-operation-keep` it begins a new operation.',
      },
      LEDGER_UNAVAILABLE: {
        shows: 'message',
        where: '`NOT_RUN`; also a GraphQL error, HTTP 200 on a field of the ledger, 503 on its file',
        retryable: true,
        message:
          'No call was made: the ledger is unavailable, and this call needs it for its entry or for a budget that limits it.',
        spanish:
          'No se consultó: el libro de consumo no está disponible ahora, y esta consulta lo necesita para su asiento o para un presupuesto que la limita.',
        forUsers: 'This check cannot be made at the moment. Please try again shortly.',
        forUsersSpanish: 'Esta consulta no se puede hacer en este momento. Inténtelo más tarde.',
        toDo: 'wait `retryAfter` seconds (a few, if there is none), then retry. Operators: check that `DATABASE_URL` can be reached. Without it, check that `DATA_DIR` can be written.',
      },
    },
  ),
  ...problemsAbout(
    {
      group: 'The registry service',
      where: '`UNAVAILABLE`, or `NOT_RUN` for a field that waits for it',
      charged: 'not known yet, or no',
      retryable: true,
    },
    {
      STILL_RUNNING: {
        message:
          'The registry has not answered yet, and the call continues. Send the same operation again to get the answer. It is charged at most once.',
        spanish:
          'El registro aún no responde y la consulta continúa. Envíe de nuevo la misma operación para obtener la respuesta. Se cobra a lo más una vez.',
        forUsers: 'The registry has not answered yet. Please wait a moment.',
        forUsersSpanish: 'El registro aún no responde. Espere un momento.',
        toDo: 'send the same operation again after `retryAfter` seconds. Within [a minute](money.md#the-minute-after-an-early-response) of the early response, answers and running calls are free, and a failure until its `retryAfter`. A `NOT_RUN` field makes its call then.',
      },
      ANSWER_LOST: {
        where: '`UNAVAILABLE`',
        charged: 'unknown',
        retryable: false,
        message: 'The call was sent, but the process ended before it stored the answer. It may have been charged.',
        spanish:
          'Se consultó, pero el proceso que preguntaba terminó antes de guardar la respuesta. Pudo haberse cobrado.',
        forUsers: 'The answer to this query was lost. It may have been charged.',
        forUsersSpanish: 'La respuesta a esta consulta se perdió. Pudo haberse cobrado.',
        toDo: "compare with the account's statement. To ask again, which may pay twice, send `x-operation-retry: unknown` with the request of an operation, or call `retryRegistryBatch(rows: UNKNOWN)` for a batch.",
      },
    },
  ),
  ...errorsAbout(
    { group: 'GraphQL errors: the document', where: 'HTTP 400' },
    {
      DRY_RUN: {
        where: 'HTTP 200',
        message: 'The client sent [`x-dry-run`](money.md#see-the-price-first) through a router.',
        forUsers: 'Only the price was requested, so nothing was looked up.',
        forUsersSpanish: 'Solo se pidió el precio, así que no se consultó nada.',
        toDo: 'ask [`unitEstimate`](money.md#see-the-price-first) for the price, for example with [`priceOf`](clients.md#units-and-prices).',
      },
      IDEMPOTENCY_KEY_REUSED: {
        shows: 'message',
        message:
          'The header `Idempotency-Key` was sent with another document, other variables, other files, another `x-purpose`, `x-tag` or `x-reference`, or a token with other scopes in the last 24 hours.',
        forUsers: 'This was already sent with other data. Please reload the page and try again.',
        forUsersSpanish: 'Esto ya se envió con otros datos. Recargue la página e inténtelo de nuevo.',
        toDo: 'use a key again only to repeat [the same request](money.md#a-mutation-that-you-send-again).',
      },
      IDEMPOTENCY_RESULT_LOST: {
        shows: 'message',
        charged: 'no, but the first request may have been',
        message:
          'The first request with this `Idempotency-Key` has no result: its process ended before it stored one, [an erasure](compliance.md#answer-a-person-arco) deleted it, or it was not kept, as its response said (`idempotency-kept: false`).',
        forUsers:
          'This was already sent, and its result was lost. Please check whether it was done before you send it again.',
        forUsersSpanish: 'Esto ya se envió y su resultado se perdió. Revise si se realizó antes de enviarlo otra vez.',
        toDo: 'check whether the change was made. If the process ended during a signature check, `registryLedger` has the call with the problem [`ANSWER_LOST`](#answer_lost). To run the operation again, even if it is then paid twice, send a new key.',
      },
    },
  ),
  ...errorsAbout(
    { group: 'GraphQL errors: the request', where: 'HTTP 200 on a field', shows: 'message' },
    {
      LEDGER_OFF: {
        message: 'The ledger is off. The operator turns it on with DATA_DIR or DATABASE_URL.',
        forUsers: 'The record of queries is not available here.',
        forUsersSpanish: 'El registro de consultas no está disponible aquí.',
        toDo: 'hide the parts of your application that show the ledger, or have an operator set `DATA_DIR` or `DATABASE_URL`.',
      },
      LEDGER_KEY_MISSING: {
        message: 'The ledger has links under keys that `DATA_KEYS` lacks.',
        forUsers: 'Part of the record of queries cannot be searched at the moment. Please contact support.',
        forUsersSpanish: 'Una parte del registro de consultas no se puede buscar por ahora. Comuníquese con soporte.',
        toDo: 'have an operator add the earlier secrets after the new one (`DATA_KEYS=new,old`) and restart every process. If a key is lost for good, erase with `despiteMissingKeys: true`: the receipt names the keys in `keysNotSearched`.',
      },
    },
  ),
};

declare module '../registry/answer/problem' {
  interface ProblemCodes extends ProblemsIn<typeof moneyCodes> {}
}
