import type { Account } from './accounts';

/** What each account has spent. Units are held while a call runs, so that two calls cannot spend the same last unit. */
export class Ledger {
  private readonly spentUnits = new Map<string, number>();
  private readonly heldUnits = new Map<string, number>();

  spent(token: string): number {
    return this.spentUnits.get(token) ?? 0;
  }

  balance(account: Account): number {
    return account.units - this.spent(account.token);
  }

  /** False when the balance does not reach. */
  hold(account: Account, units: number): boolean {
    const held = this.heldUnits.get(account.token) ?? 0;
    if (units > 0 && this.balance(account) - held < units) return false;
    this.heldUnits.set(account.token, held + units);
    return true;
  }

  /** Ends a hold: what is `taken` of it is spent, the rest is free again. */
  settle(account: Account, units: number, taken: number): void {
    this.heldUnits.set(account.token, (this.heldUnits.get(account.token) ?? 0) - units);
    this.spentUnits.set(account.token, this.spent(account.token) + taken);
  }
}
