import type { Account } from './accounts';

/** Units spent by each account. Units are reserved while a call runs, so that two calls cannot spend the same last unit. */
export class Balances {
  private readonly spentUnits = new Map<string, number>();
  private readonly reservedUnits = new Map<string, number>();

  spent(token: string): number {
    return this.spentUnits.get(token) ?? 0;
  }

  balance(account: Account): number {
    return account.units - this.spent(account.token);
  }

  /** Reserves units. Returns false if the balance is too low. */
  reserve(account: Account, units: number): boolean {
    const reserved = this.reservedUnits.get(account.token) ?? 0;
    if (units > 0 && this.balance(account) - reserved < units) return false;
    this.reservedUnits.set(account.token, reserved + units);
    return true;
  }

  /** Ends a reservation. The `charged` units are spent, and the rest is released. */
  settle(account: Account, units: number, charged: number): void {
    this.reservedUnits.set(account.token, (this.reservedUnits.get(account.token) ?? 0) - units);
    this.spentUnits.set(account.token, this.spent(account.token) + charged);
  }
}
