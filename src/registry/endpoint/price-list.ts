import { readFileSync } from 'node:fs';
import { suggestName } from '../../identifiers/edit-distance';
import { isObject } from '../../identifiers/json-value';
import type { AnyEndpoint } from './endpoint';

/** What a call can end with that a contract may charge. A call without a readable answer is uncertain, whatever the contract says. */
export const chargeable = ['FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED', 'RATE_LIMITED'] as const;
export type Chargeable = (typeof chargeable)[number];

/** The terms of an endpoint: what a call costs, and the ends that are charged. */
export interface Terms {
  readonly units: number;
  readonly charged: readonly Chargeable[];
  /** Path of the member of an answer that names what it cost, such as `costo.unidades`. Undefined if answers name nothing. */
  readonly namedIn?: string;
}

const answered: readonly Chargeable[] = ['FOUND', 'NOT_FOUND'];

/** Returns the terms without a price list. */
export const ownTerms = ({ units }: Pick<AnyEndpoint, 'units'>): Terms => ({ units, charged: answered });

type Changes = ReadonlyMap<string, Partial<Terms>>;

/** The provider's contract: the terms of each endpoint. A newer list has a higher version. */
export class PriceList {
  private readonly terms = new Map<AnyEndpoint, Terms>();
  /** The list as JSON, the same for equal lists. */
  readonly text: string;

  constructor(
    readonly version: number,
    private readonly changes: Changes,
    private readonly namedIn?: string,
  ) {
    const entries = [...changes].sort(([left], [right]) => (left < right ? -1 : 1));
    this.text = JSON.stringify({ version, unitsIn: namedIn, endpoints: Object.fromEntries(entries) });
  }

  /** Returns the terms of an endpoint. If nothing is charged, a call costs nothing. */
  of(endpoint: AnyEndpoint): Terms {
    const existing = this.terms.get(endpoint);
    if (existing !== undefined) return existing;
    const named = this.namedIn === undefined ? null : { namedIn: this.namedIn };
    const terms = { ...this.written(endpoint), ...named };
    const found = terms.charged.length === 0 ? { ...terms, units: 0 } : terms;
    this.terms.set(endpoint, found);
    return found;
  }

  private written(endpoint: AnyEndpoint): Terms {
    return { ...ownTerms(endpoint), ...this.changes.get(endpoint.name) };
  }

  /** Returns the most that a call costs, or what an answer with an outcome costs. Sandbox mode is free. */
  costOf(endpoint: AnyEndpoint, sandbox: boolean, outcome?: string): number {
    const { units, charged } = this.of(endpoint);
    return sandbox || (outcome !== undefined && !charged.some((end) => end === outcome)) ? 0 : units;
  }

  /** Returns the terms of all endpoints as a file for `PRICE_LIST`. */
  print(endpoints: readonly AnyEndpoint[]): string {
    const lines = [...endpoints]
      .sort((left, right) => left.name.localeCompare(right.name, 'en'))
      .map((endpoint) => {
        const { units, charged } = this.written(endpoint);
        return `    ${JSON.stringify(endpoint.name)}: ${JSON.stringify({ units, charged })}`;
      });
    const named = this.namedIn === undefined ? '' : `  "unitsIn": ${JSON.stringify(this.namedIn)},\n`;
    return `{\n  "version": ${Math.max(1, this.version)},\n${named}  "endpoints": {\n${lines.join(',\n')}\n  }\n}\n`;
  }
}

/** The terms of this version of padron, for a process without a list. */
export const ownPrices = new PriceList(0, new Map());

const maxUnits = 1_000_000;
const maxVersion = 2_147_483_647;

/** A list that has mistakes: all of them. */
export class PriceListError extends Error {
  override readonly name = 'PriceListError';

  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

/** Reads the file of a list. Returns the terms of this version of padron without one. */
export function loadPriceList(
  path: string | null,
  catalogue: readonly { readonly endpoint: AnyEndpoint }[],
): PriceList {
  if (path === null) return ownPrices;
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PriceListError([`the file cannot be read (${code}). Set it to the path of a price list.`]);
  }
  const endpoints = catalogue.map(({ endpoint }) => endpoint);
  return readPriceList(decode(bytes), endpoints);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PriceListError(['the file is not text in UTF-8. Save it as UTF-8.']);
  }
}

/**
 * Reads a price list. Throws a `PriceListError` if any part of it is not understood: nothing is paid by half a contract. `endpoints` is null for
 * the list of a store, which a newer version of padron, with more endpoints, may have put there.
 */
export function readPriceList(text: string, endpoints: readonly AnyEndpoint[] | null): PriceList {
  const list = parseObject(text);
  const mistakes: string[] = [];
  if (namesIn(text) !== namesOf(list)) mistakes.push('A name appears twice in an object. Remove one of both.');
  const check = (value: object, names: readonly string[], where: string): void => {
    for (const name of Object.keys(value).filter((each) => !names.includes(each)))
      mistakes.push(`${JSON.stringify(name.slice(0, 100))} is not a name in ${where}. ${suggestName(name, names)}`);
  };
  check(list, ['version', 'unitsIn', 'endpoints'], 'the list');
  const { version, unitsIn, endpoints: entries } = list;
  if (unitsIn !== undefined && (typeof unitsIn !== 'string' || !/^[^.\s]+(\.[^.\s]+)*$/.test(unitsIn)))
    mistakes.push('unitsIn must be the path of a member of an answer, such as "costo.unidades".');
  if (!isWhole(version, 1, maxVersion))
    mistakes.push('version must be a whole number from 1. Raise it with each change of the list.');
  if (!isObject(entries)) mistakes.push('endpoints must be an object with an entry for each endpoint that differs.');
  const all = isObject(entries) ? Object.entries(entries) : [];
  const names = endpoints?.map(({ name }) => name);
  if (names !== undefined) check(Object.fromEntries(all), names, 'endpoints');
  const changes = all.map(([name, entry]): [string, Partial<Terms>] => {
    if (!isObject(entry)) {
      mistakes.push(`${name} must be an object such as {"units": 1, "charged": ["FOUND"]}.`);
      return [name, {}];
    }
    check(entry, ['units', 'charged'], name);
    const { units, charged } = entry;
    if (units !== undefined && !isWhole(units, 0, maxUnits))
      mistakes.push(`${name}.units must be a whole number from 0 to ${maxUnits}.`);
    if (charged !== undefined && !Array.isArray(charged)) mistakes.push(`${name}.charged must be a list.`);
    const ends: readonly unknown[] = Array.isArray(charged) ? charged : [];
    if (!ends.every((end) => typeof end === 'string')) mistakes.push(`${name}.charged must be a list of texts.`);
    check(Object.fromEntries(ends.map((end) => [end, true])), chargeable, `${name}.charged`);
    const ordered = chargeable.filter((end) => ends.includes(end));
    return [
      name,
      {
        ...(units === undefined ? {} : { units: units as number }),
        ...(charged === undefined ? {} : { charged: ordered }),
      },
    ];
  });
  if (mistakes.length > 0) throw new PriceListError(mistakes);
  return new PriceList(version as number, new Map(changes), unitsIn as string | undefined);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const list: unknown = JSON.parse(text);
    if (isObject(list)) return list;
  } catch {
    throw new PriceListError(['it is not JSON. `padron prices` prints a list to begin with.']);
  }
  throw new PriceListError(['it must be a JSON object. `padron prices` prints a list to begin with.']);
}

/** Counts the names in JSON text, and in what was read from it: of two members with one name, only the last is read. */
const namesIn = (text: string): number =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
const namesOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (count, each) => count + namesOf(each),
        isObject(value) ? Object.keys(value).length : 0,
      );

const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
