import { LRUCache } from 'lru-cache';

export interface TenantCacheOptions<Value> {
  /** Maximum size of what all tenants have together. */
  readonly maxSize: number;
  readonly sizeOf: (value: Value) => number;
  /** Milliseconds that an entry is kept, unless it is set with others. */
  readonly ttl: number;
}

/** A cache that all tenants share. If it is full, the tenant that uses the most loses its least recently used entry. */
export class TenantCache<Value extends object> {
  private readonly tenants = new Map<string, LRUCache<string, Value>>();
  /** The tenant's cache that has a key. The other clients of its account read it, too. */
  private readonly holders = new Map<string, LRUCache<string, Value>>();
  private size = 0;

  constructor(private readonly options: TenantCacheOptions<Value>) {}

  get count(): number {
    return this.holders.size;
  }

  get(key: string): Value | undefined {
    return this.holders.get(key)?.get(key);
  }

  set(tenant: string, key: string, value: Value, ttl = this.options.ttl): void {
    const { maxSize, sizeOf } = this.options;
    const size = sizeOf(value);
    this.delete(key);
    if (size > maxSize) return;
    while (this.size + size > maxSize && this.tenants.size > 0) this.largest()?.pop();
    const cache = this.tenants.get(tenant) ?? this.createCache(tenant);
    cache.set(key, value, { ttl });
    this.holders.set(key, cache);
    this.size += size;
  }

  delete(key: string): void {
    this.holders.get(key)?.delete(key);
  }

  clear(): void {
    for (const cache of this.tenants.values()) cache.clear();
  }

  /** Creates a cache without `max`, which would reserve memory for as many entries in the cache of each tenant. */
  private createCache(tenant: string): LRUCache<string, Value> {
    const { maxSize, sizeOf, ttl } = this.options;
    const cache = new LRUCache<string, Value>({
      maxSize,
      sizeCalculation: sizeOf,
      ttl,
      // Entries expire without being read: they may be personal data, and a tenant without entries is forgotten.
      ttlAutopurge: true,
      disposeAfter: (value, key) => {
        this.size -= sizeOf(value);
        this.holders.delete(key);
        if (cache.size === 0) this.tenants.delete(tenant);
      },
    });
    this.tenants.set(tenant, cache);
    return cache;
  }

  private largest(): LRUCache<string, Value> | undefined {
    let largest: LRUCache<string, Value> | undefined;
    for (const cache of this.tenants.values())
      if (largest === undefined || cache.calculatedSize > largest.calculatedSize) largest = cache;
    return largest;
  }
}
