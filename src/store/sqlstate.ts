import { StatementError, StoreBusyError, StoreUnavailableError } from './store';

/** Codes of an unavailable store: connection lost, resources such as the disk exhausted, shutdown, I/O error, read-only. */
const unavailable = /^(08|53|57P|58|25006)/;
/** Codes of a statement that may succeed if it is retried: canceled by a timeout, deadlock, serialization failure, lock timeout. */
const busy = /^(57014|40|55P03)/;

/** Whether a code is an SQLSTATE. Each SQLSTATE has a digit, and system codes such as `EPIPE` have none. */
export const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code);

/** Turns an SQLSTATE into an error of the store. Messages of temporary failures only name the code, because engines may quote rows. */
export function toStoreError(
  code: string,
  message: string,
  ifUnavailable: string,
): StatementError | StoreUnavailableError {
  if (busy.test(code)) return new StoreBusyError(`The statement did not finish in time (${code}).`);
  if (unavailable.test(code)) return new StoreUnavailableError(`${ifUnavailable} (${code}).`);
  return new StatementError(message, code);
}
