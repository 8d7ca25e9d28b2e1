import type { Caller } from '../../../registry/caller';
import { TenantCache } from '../../answers/tenant-cache';

/** Milliseconds after the first request of an operation that has paid, after which the operation is over. */
const operationMs = 600_000;
const maxOperations = 100_000;

interface Operation {
  committed: number;
  readonly ends: number;
}

/** Budget of an operation, shared by all requests that it was split into. */
export interface OperationBudget {
  readonly id: string;
  readonly units: number;
  readonly left: number;
  reserve(price: number): boolean;
  release(units: number): void;
}

/**
 * The operations that this process has paid parts of: a router splits one into several requests, each with the same budget. An operation
 * that has cost nothing needs no entry, so a token that the service refuses leaves none.
 */
export class OperationBudgets {
  private readonly operations: TenantCache<Operation>;

  constructor(maxSize = maxOperations) {
    this.operations = new TenantCache({ maxSize, sizeOf: () => 1, ttl: operationMs });
  }

  budgetOf({ account, tenant }: Caller, id: string, units: number): OperationBudget {
    const key = `${account} ${id}`;
    let operation = this.operations.get(key) ?? { committed: 0, ends: performance.now() + operationMs };
    const isOver = (): boolean => operation.ends <= performance.now();
    const keep = (): void => {
      if (isOver()) return;
      if (operation.committed > 0) this.operations.set(tenant, key, operation, operation.ends - performance.now());
      else this.operations.delete(key);
    };
    // Another request of the operation may have paid first. The next operation of this name does not count the calls of this one.
    const find = (): Operation => {
      if (!isOver()) operation = this.operations.get(key) ?? operation;
      return operation;
    };
    keep();
    return {
      id,
      units,
      get left() {
        return Math.max(0, units - find().committed);
      },
      reserve: (price) => {
        if (find().committed + price > units) return false;
        operation.committed += price;
        keep();
        return true;
      },
      release: (released) => {
        find().committed -= released;
        keep();
      },
    };
  }
}
