import { LRUCache } from 'lru-cache';

/** Milliseconds after the last request of an operation, after which the operation is forgotten. */
const operationMs = 600_000;
const maxOperations = 100_000;

interface Operation {
  committed: number;
}

/** Budget of an operation, shared by all requests that it was split into. */
export interface OperationBudget {
  readonly id: string;
  readonly units: number;
  readonly left: number;
  reserve(price: number): boolean;
  release(units: number): void;
}

/** The operations that this process has seen parts of: a router splits one into several requests, each with the same budget. */
export class OperationBudgets {
  /** Bounded by `maxSize`, because `max` reserves megabytes in every process, and only routers need an entry. */
  private readonly operations = new LRUCache<string, Operation>({
    maxSize: maxOperations,
    sizeCalculation: () => 1,
    ttl: operationMs,
  });

  budgetOf(account: string, id: string, units: number): OperationBudget {
    const key = `${account} ${id}`;
    const operation = this.operations.get(key) ?? { committed: 0 };
    // Set again to restart its lifetime.
    this.operations.set(key, operation);
    return {
      id,
      units,
      get left() {
        return Math.max(0, units - operation.committed);
      },
      reserve: (price) => {
        if (operation.committed + price > units) return false;
        operation.committed += price;
        return true;
      },
      release: (released) => {
        operation.committed -= released;
      },
    };
  }
}
