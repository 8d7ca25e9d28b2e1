export { type Estimate, type PriceOptions, priceOf } from '../price-of';
export {
  addUnits,
  type BudgetLeft,
  type OnUnits,
  readUnits,
  type SpendingOperation,
  type UnitCall,
  type UnitTotal,
  type UnitUsage,
} from '../units';
