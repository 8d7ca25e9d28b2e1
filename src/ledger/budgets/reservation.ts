import type { AlertSender } from './alerts';
import type { Slice } from './slice';

/** What a call has set aside in all budgets that bound it. */
export interface Reservation {
  /** What it came to; an unknown one its price. */
  settle(units: number): void;
}

/** Of each slice, or of none. */
export function tryReserve(slices: readonly Slice[], price: number, alerts: AlertSender): Reservation | null {
  const lacking = slices.findIndex((slice) => !slice.tryReserve(price));
  if (lacking >= 0) {
    for (const slice of slices.slice(0, lacking)) slice.settle(price, 0);
    return null;
  }
  return {
    settle: (units) => {
      for (const slice of slices) {
        slice.settle(price, units);
        alerts.check(slice);
      }
    },
  };
}
