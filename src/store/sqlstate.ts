import { StatementError, StoreBusyError, StoreUnavailableError } from './store';

/** Codes of a store that cannot work now: connection lost, resources such as the disk exhausted, shutdown, I/O error, read-only. */
const unavailable = /^(08|53|57P|58|25006)/;
/** Codes of one statement that may succeed when it is repeated: canceled by a timeout, deadlock, serialization, lock timeout. */
const busy = /^(57014|40|55P03)/;

/** `EPIPE` and its like are no SQLSTATE: each of those has a digit. */
export const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code);

/** Turns an SQLSTATE into an error of the store. The message of a temporary failure names the code only, since an engine may quote a row. */
export function toStoreError(
  code: string,
  message: string,
  ifUnavailable: string,
): StatementError | StoreUnavailableError {
  if (busy.test(code)) return new StoreBusyError(`The statement was not carried out in time (${code}).`);
  if (unavailable.test(code)) return new StoreUnavailableError(`${ifUnavailable} (${code}).`);
  return new StatementError(message, code);
}
