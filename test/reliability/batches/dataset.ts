import { luhnCheckDigit } from '../../../src/extensions/sandbox/data/identifiers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { getCard } from '../../../src/extensions/sandbox/test-cards/cards';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';

/** Failures that do not concern the whole account. */
const cardNames: readonly Failure[] = [
  'not-found',
  'bad-request',
  'unprocessable',
  'forbidden',
  'server-error',
  'unavailable',
  'html',
  'somebody-else',
  'slow',
];

/** A realistic dataset: people, unknown people, repetitions, wrong digits, and test cards. */
export interface Dataset {
  readonly rows: readonly { readonly ref: string; readonly nss: string }[];
  /** Distinct valid identifiers. */
  readonly askable: ReadonlySet<string>;
  /** Valid identifiers whose answer does not show whether it was charged. */
  readonly uncertain: ReadonlySet<string>;
}

export function makeDataset(count: number): Dataset {
  const registered = people.map(({ nss }) => nss);
  const cards = cardNames.map((name) => getCard(name, 'nss').value);
  const mistyped = registered.slice(0, 40).map(mistype);
  const strangers: string[] = [];
  for (let serial = 0; strangers.length < Math.floor(count * 0.6); serial += 1) {
    const body = `${registered[serial % registered.length]?.slice(0, 6)}${String(9_999 - (serial % 9_999)).padStart(4, '0')}`;
    const nss = body + luhnCheckDigit(body);
    if (!registered.includes(nss) && !strangers.includes(nss)) strangers.push(nss);
  }
  const distinct = [...registered, ...cards, ...mistyped, ...strangers];
  const rows = Array.from({ length: count }, (_, index) => ({
    ref: `person ${index + 1}`,
    nss: distinct[(index * 7) % distinct.length] ?? '',
  }));
  const asked = new Set(rows.map(({ nss }) => nss));
  const uncertain = (['server-error', 'unavailable', 'html'] as const).map((name) => getCard(name, 'nss').value);
  return {
    rows,
    askable: new Set([...asked].filter((nss) => !mistyped.includes(nss))),
    uncertain: new Set(uncertain.filter((nss) => asked.has(nss))),
  };
}

export const toCsv = ({ rows }: Dataset): string =>
  `ref,nss\n${rows.map(({ ref, nss }) => `${ref},${nss}`).join('\n')}\n`;

/** Changes the check digit. */
const mistype = (nss: string): string => nss.slice(0, 10) + ((Number(nss[10]) + 1) % 10);
