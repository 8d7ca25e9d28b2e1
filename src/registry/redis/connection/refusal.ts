/** An error for a store that is available but unusable. The operator has to fix it. The message contains no secret. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}
