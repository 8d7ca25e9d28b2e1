/** Sums of an operation that lasts, over all its requests. */
export interface OperationSums {
  readonly spentUnits: number;
  /** Price of its running calls, and of those that may have been charged. */
  readonly uncertainUnits: number;
  /** Price of the questions that were answered by its kept answers, or by answers of other requests. */
  readonly savedUnits: number;
  readonly maxUnits: number | null;
  readonly leftUnits: number | null;
  readonly until: Date;
}

/** Operations of one account, or with JWTs of one client. */
export interface LastingOperations {
  /** Returns the sums, or null if no operation with this ID lasts. */
  find(id: string): Promise<OperationSums | null>;
  /** Deletes the operation and its kept answers. Returns its last sums, or null if no operation with this ID lasted. */
  end(id: string): Promise<OperationSums | null>;
}
