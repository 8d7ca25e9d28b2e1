import { people as inhabitants } from '../../../src/extensions/sandbox/data/people';
import { asked, type Probe, repeated } from '../attacks/probe';

const paid = `a: credit { outcome } b: identity { outcome } c: licences { outcome } d: professionalStatus { outcome }
  e: housingAccount { outcome }`;
const credit = `credit { outcome problems { code message path }
  evidence { units endpoint status validationCode } record { number } }`;
const entities = (fields: string): string =>
  `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { ${fields} } } }`;
const people = (count: number, nss: (index: number) => string) => ({
  of: Array.from({ length: count }, (_, index) => ({ __typename: 'Person', nss: nss(index) })),
});
const same = (count: number) => people(count, () => '04159600263');
const distinct = (count: number) => people(count, String);
const recorded = (count: number) => people(count, (index) => inhabitants[index % inhabitants.length]?.nss ?? '');
const employers = (count: number) =>
  Array.from({ length: count }, () => ({ __typename: 'Employer', registration: 'Y6077636105' }));

const probe = (name: string, send: Probe['send'], code: string | null = null): Probe => ({
  name,
  code,
  send,
  status: 200,
});

/** The widest requests within the limits. `npm run reliability` prints for how long they block the event loop. */
export const wideRequests: readonly Probe[] = [
  probe('five values of each of 9,900', asked(entities('a: nss b: nss c: nss d: nss e: nss'), distinct(9_900))),
  probe('one question about the same person 3,000 times', asked(entities('credit { outcome }'), same(3_000))),
  probe('one question about each of 3,000, invalid', asked(entities('credit { outcome }'), distinct(3_000))),
  probe(
    'one question about each of 3,000, without a token',
    asked(entities('credit { outcome }'), same(3_000), { authorization: '' }),
    'UNAUTHENTICATED',
  ),
  probe('all of a credit of each of 1,900', asked(entities(credit), recorded(1_900))),
  probe('five questions about each of 600', asked(entities(paid), recorded(600))),
  probe('the same, and whether they agree, of 370', asked(entities(`${paid} consistency { status }`), recorded(370))),
  probe(
    'five questions about each of 600, for their price',
    asked(entities(paid), same(600), { 'x-dry-run': 'true' }),
    'DRY_RUN',
  ),
  probe(
    'five questions about each of 600, within a budget',
    asked(entities(paid), distinct(600), { 'x-max-units': '5' }),
  ),
  probe(
    'questions about each of 500 in a document that holds values',
    asked(entities(`${paid} f: licences(match: EXACT) { outcome }`).replace('query', 'query Of2026'), distinct(500)),
  ),
  probe(
    'two thousand questions about one person',
    asked(`{ person(nss: "1") { ${repeated(2_000, (index) => `a${index}: credit { outcome }`)} } }`),
  ),
  probe(
    'the same field two hundred times',
    asked(`{ ${repeated(200, () => 'person(nss: "1") { credit { outcome } }')} }`),
  ),
  probe(
    'an argument that fails for each of 900',
    asked(
      'query ($of: [_Any!]!, $p: YearMonth = "2026-01") { _entities(representations: $of) { ... on Employer { receipts(period: $p) { outcome } } } }',
      { of: employers(900), p: null },
    ),
    'BAD_USER_INPUT',
  ),
  probe(
    'the schema twenty-five times',
    asked(`{ ${repeated(25, (index) => `a${index}: __schema { types { name fields { name type { name } } } }`)} }`),
  ),
];
