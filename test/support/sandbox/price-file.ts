import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from '../../../src/extensions/sandbox/service';

/** What a contract says about an endpoint: its units, and the statuses that are charged. */
export interface Contract {
  readonly units: number;
  readonly charged: readonly (keyof typeof statuses)[];
}

const statuses = { FOUND: 200, NOT_FOUND: 404, INVALID_INPUT: [400, 422], NOT_PERMITTED: 403, RATE_LIMITED: 429 };

const folder = mkdtempSync(join(tmpdir(), 'padron-prices-'));
let files = 0;

/** Writes a text as a price list, and returns the setting that names it. */
export function priceFile(text: string | Buffer): { readonly PRICE_LIST: string } {
  files += 1;
  const file = join(folder, `${files}.json`);
  writeFileSync(file, text);
  return { PRICE_LIST: file };
}

export const priceList = (endpoints: Readonly<Record<string, Partial<Contract>>>, version = 1) =>
  priceFile(JSON.stringify({ version, endpoints }));

/** Returns the options of a service that charges by these contracts, by endpoint. */
export const chargingBy = (contracts: Readonly<Record<string, Contract>>): Pick<SandboxOptions, 'terms'> => ({
  terms: (endpoint) => {
    const contract = contracts[endpoint];
    return contract && { units: contract.units, charged: new Set(contract.charged.flatMap((end) => statuses[end])) };
  },
});
