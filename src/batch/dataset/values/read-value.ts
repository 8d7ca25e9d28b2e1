import type { Remark } from '../../batch';

/** A value of a cell, what padron did to it, or why its row is rejected. */
export interface ReadValue {
  readonly value: unknown;
  readonly remark?: Remark;
  readonly rejection?: Remark;
}
