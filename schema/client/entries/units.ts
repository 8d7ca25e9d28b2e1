export { type Estimate, type PriceOptions, priceOf } from '../price-of';
export {
  type BudgetLeft,
  type OnUnits,
  readUnits,
  type SpendingOperation,
  type UnitCall,
  type UnitUsage,
} from '../units';
