import type { Answer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { CallLedger, LedgerCall, OpenEntry } from '../../registry/call-ledger';

/** The ledger of a batch. It records calls only: an answer that rows share is proved by the entry of its call. */
export class BatchLedger implements CallLedger {
  constructor(private readonly recorder: CallLedger) {}

  open(call: LedgerCall): OpenEntry | Problem | Promise<OpenEntry | Problem> {
    return this.recorder.open(call);
  }

  recordShared(_call: LedgerCall, { evidence }: Answer<unknown>): string | null {
    return evidence.ledgerId;
  }
}
