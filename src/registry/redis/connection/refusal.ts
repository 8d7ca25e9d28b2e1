/** The store is there, and will not do: the operator must mend that before it is relied on. Holds no secret. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}
