/** The caller that starts, resumes or retries a batch, and its limit. */
export interface RunStart {
  /** The encrypted token, or null if it is not stored. */
  readonly token: Buffer | null;
  /** The worker that has the token in memory. Only this worker can run the batch. Null if any worker can. */
  readonly holder: string | null;
  /** Maximum units of a row, or null if there is no limit. */
  readonly rowUnits: number | null;
  readonly client: string | null;
  readonly permissions: readonly string[] | null;
}
