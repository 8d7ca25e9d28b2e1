import type { Answer, Outcome } from '../../registry/answer/answer';

/** Price of the questions of an endpoint that were answered without a call, because another question had paid for the answer. */
export interface Saving {
  readonly endpoint: string;
  readonly outcome: Outcome;
  readonly units: number;
}

/** Whether a repeated question saves its price. A failure saves nothing, because it would not have been charged. */
export const isSaving = ({ outcome }: Answer<unknown>): boolean => outcome === 'FOUND' || outcome === 'NOT_FOUND';

export class Savings {
  private readonly sums = new Map<string, { -readonly [Part in keyof Saving]: Saving[Part] }>();

  get all(): readonly Saving[] {
    return [...this.sums.values()];
  }

  get units(): number {
    return this.all.reduce((sum, { units }) => sum + units, 0);
  }

  add(price: number, answer: Answer<unknown>): void {
    const { outcome, evidence } = answer;
    if (price > 0 && isSaving(answer)) this.addSaving({ endpoint: evidence.endpoint, outcome, units: price });
  }

  addSaving(saving: Saving): void {
    const key = `${saving.outcome} ${saving.endpoint}`;
    const sum = this.sums.get(key);
    if (sum === undefined) this.sums.set(key, { ...saving });
    else sum.units += saving.units;
  }
}

/** Returns the answer with the entry that proves it. A question that was not sent has no proof. */
export function withLedgerId<Payload>(answer: Answer<Payload>, ledgerId: string | null): Answer<Payload> {
  if (ledgerId === null || answer.evidence.servedFrom === 'NOT_SENT') return answer;
  return { ...answer, evidence: { ...answer.evidence, ledgerId } };
}
