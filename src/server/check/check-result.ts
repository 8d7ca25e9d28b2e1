/** Result of one check. `message` says what was found, and after a failure what to do. It contains no secrets. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly message: string;
}

/** Results of the checks of one system. */
export interface SystemCheck {
  readonly results: readonly CheckResult[];
  /** Milliseconds by which the clock of this machine is ahead of the system's clock. Null if it is unknown. */
  readonly aheadMs: number | null;
}

export const ok = (name: string, message: string): CheckResult => ({ name, status: 'ok', message });
export const failed = (name: string, message: string): CheckResult => ({ name, status: 'failed', message });
export const skipped = (name: string, message: string): CheckResult => ({ name, status: 'skipped', message });
