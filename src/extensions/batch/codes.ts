import { errorsAbout, type ProblemsIn, problemsAbout } from '../../identifiers/code-entry';

export const batchCodes = {
  ...problemsAbout(
    { group: 'Batches', where: 'On a change of a batch' },
    {
      NOT_IN_BATCH: {
        where: 'On a batch; `NOT_PERMITTED` in a row',
        message: 'The service does not allow this endpoint in batch processing.',
        spanish: 'El servicio no permite este endpoint en procesamiento masivo.',
        forUsers: 'This query is not allowed in batches.',
        forUsersSpanish: 'Esta consulta no se permite en lotes.',
        toDo: 'select other fields. The operator can allow all endpoints with `BATCH_ENDPOINTS=any`.',
      },
      BATCH_NOT_FOUND: {
        message: 'This account has no such batch.',
        spanish: 'Esta cuenta no tiene ese lote.',
        forUsers: 'There is no such batch.',
        forUsersSpanish: 'Ese lote no existe.',
        toDo: 'check the ID. `registryBatches` lists your batches.',
      },
      BATCH_STATE: {
        message: 'The state of the batch does not allow this.',
        spanish: 'El lote está en un estado en el que esto no se puede hacer.',
        forUsers: 'This cannot be done with the batch now.',
        forUsersSpanish: 'Esto no se puede hacer ahora con el lote.',
        toDo: 'read `state`. If it is `PRICING`, wait.',
      },
      COLUMNS_UNMAPPED: {
        where: 'On a change of a batch; 400 on `uploadUrl`',
        message: 'A column seems to have the values of a variable that no column fills.',
        spanish: 'Una columna parece tener los datos de una variable que ninguna columna llena.',
        forUsers:
          'padron does not know what a column of the file is for. Say which data it has, or that it is not used.',
        forUsersSpanish: 'No se sabe para qué es una columna del archivo. Indique qué dato tiene o que no se usa.',
        toDo: 'choose its variable in `columns`, or null if it is not used.',
      },
      FULL_NAME_DIFFERS: {
        isRemark: true,
        where: 'In a row with a full name in one column, with `FOUND`',
        charged: 'see the outcome',
        message: 'The full name of the row and the name in the registry have different words. Compare them.',
        spanish: 'El nombre completo de la fila y el del registro tienen palabras distintas. Compárelos.',
        forUsers: 'The registry has another name than the file. Please compare both.',
        forUsersSpanish: 'El registro tiene otro nombre que el archivo. Compare ambos.',
        toDo: 'compare `given` and `recorded`.',
      },
      EARLIER_ANSWERS: {
        message:
          'Earlier batches have answered questions of this batch. Choose with `earlierAnswers` whether it uses them.',
        spanish:
          'Otros lotes ya consultaron datos de este lote. Elija con `earlierAnswers` si se usan esas respuestas.',
        forUsers: 'Part of this file was already asked. Choose whether to use those answers or to pay again.',
        forUsersSpanish: 'Parte de este archivo ya se consultó. Elija si usa esas respuestas o las paga de nuevo.',
        toDo: 'read `earlierAnswers` of the batch, and start it with `earlierAnswers: USE` or `PAY_AGAIN`.',
      },
      ROWS_UNKNOWN: {
        where: 'Reason of a paused batch',
        charged: 'unknown',
        message:
          'Ten rows in a row are UNKNOWN: each may have been charged without a usable answer. Read their problems before you resume the batch.',
        spanish:
          'Diez filas seguidas son UNKNOWN: cada una pudo cobrarse sin una respuesta útil. Lea sus problemas antes de continuar el lote.',
        forUsers: 'The registry gives no usable answers, and each try may cost. The batch was paused.',
        forUsersSpanish: 'El registro no da respuestas útiles y cada intento puede costar. El lote se pausó.',
        toDo: 'read the problems of the rows. Resume the batch when the registry answers again, and compare the rows with the statement of the account.',
      },
      BATCH_QUOTA_EXCEEDED: {
        where: 'On a change of a batch; 413 on `uploadUrl`',
        message: 'This would exceed a quota of batches. Erase batches that you no longer need.',
        spanish: 'Los lotes guardarían más de lo permitido. Borre los que ya no necesite.',
        forUsers: 'There is no room for this batch. Erase batches that you no longer need.',
        forUsersSpanish: 'No hay espacio para este lote. Borre los que ya no necesite.',
        toDo: 'use `eraseRegistryBatch`, or wait until they expire. Results of idempotency keys count too, for 24 hours. The operator can raise the limit.',
      },
    },
  ),
  ...errorsAbout(
    { group: 'Batches', where: 'GraphQL error', shows: 'message' },
    {
      BATCHES_OFF: {
        message: 'Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.',
        forUsers: 'Batches are not available here.',
        forUsersSpanish: 'Los lotes no están disponibles aquí.',
        toDo: 'the operator sets `DATA_DIR` or `DATABASE_URL`.',
      },
    },
  ),
};

declare module '../../registry/answer/problem' {
  interface ProblemCodes extends ProblemsIn<typeof batchCodes> {}
}
