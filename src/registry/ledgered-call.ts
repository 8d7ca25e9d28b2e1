import { type Answer, notAsked } from './answer/answer';
import type { CallLedger, LedgerCall } from './call-ledger';

/** Puts a question when it is entered, and enters what became of it. Without a ledger it is put, and no more. */
export async function enterCall<Payload>(
  ledger: CallLedger | null,
  call: LedgerCall,
  fetch: () => Promise<Answer<Payload>>,
): Promise<Answer<Payload>> {
  if (ledger === null) return fetch();
  const entry = await ledger.open(call);
  if ('code' in entry) return notAsked('NOT_RUN', call.address, [entry]);
  try {
    const answer = await fetch();
    entry.close(answer);
    return answer.evidence.servedFrom === 'NOT_SENT' ? answer : withLedgerId(answer, entry.id);
  } catch (error) {
    entry.close(null);
    throw error;
  }
}

/** Enters an answer that cost nothing, since it was paid for before. What never left has no proof. */
export function enterShared(ledger: CallLedger | null, call: LedgerCall, answer: Answer<unknown>): Answer<unknown> {
  if (ledger === null || answer.evidence.servedFrom === 'NOT_SENT') return answer;
  return withLedgerId(answer, ledger.recordShared(call, answer));
}

function withLedgerId<Payload>(answer: Answer<Payload>, ledgerId: string): Answer<Payload> {
  return { ...answer, evidence: { ...answer.evidence, ledgerId } };
}

/** Refused by a budget over time or by the ledger, which are this request's own: whoever waits with it has others. */
export function isLedgerRefusal({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'BUDGET_EXHAUSTED' || code === 'LEDGER_UNAVAILABLE');
}
