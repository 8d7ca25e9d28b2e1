import { nss } from '../../support/requests/credit-request';
import { asked, type Probe, probe, repeated } from './probe';

const TOO_LARGE = 'OPERATION_TOO_LARGE';
const INVALID = 'GRAPHQL_VALIDATION_FAILED';
const UNPARSED = 'GRAPHQL_PARSE_FAILED';

const employer = (inner: string): string => `{ employer(registration: "Y6077636105") { ${inner} } }`;

/** Makes fragments that each spread the next one several times, so that expanding them is exponential. */
function bomb(levels: number, width: number): string {
  const fragments = repeated(
    levels,
    (i) => `fragment f${i} on Query { ${repeated(width, (j) => `a${j}: __typename ...f${i + 1}`)} }`,
  );
  return `{ ...f0 } ${fragments} fragment f${levels} on Query { __typename }`;
}

/** Makes such fragments with nested fields, so that the response would grow too. */
function growingBomb(levels: number): string {
  const step = (i: number): string =>
    repeated(4, (j) => `a${j}: receipts(period: "2026-0${j + 1}") { records { employer { ...f${i + 1} } } }`);
  return `${employer('...f0')} ${repeated(levels, (i) => `fragment f${i} on Employer { ${step(i)} }`)} fragment f${levels} on Employer { registration }`;
}

const cycle = (length: number): string =>
  `{ ...f0 } ${repeated(length, (i) => `fragment f${i} on Query { ...f${(i + 1) % length} }`)}`;

const person = (typename = 'Person') => ({ __typename: typename, nss });

export const documentAttacks: readonly Probe[] = [
  probe(
    'six thousand lists in an argument',
    UNPARSED,
    asked(`{ person(nss: ${'['.repeat(6_000)}${']'.repeat(6_000)}) { nss } }`),
  ),
  probe(
    'six thousand lists in a type',
    UNPARSED,
    asked(`query ($a: ${'['.repeat(6_000)}NSS${']'.repeat(6_000)}) { __typename }`),
  ),
  probe(
    'an estimate of a document of six thousand lists',
    'BAD_USER_INPUT',
    asked('query ($o: String!) { unitEstimate(input: { operation: $o }) { rowCount } }', {
      o: `{ person(nss: ${'['.repeat(6_000)}${']'.repeat(6_000)}) { nss } }`,
    }),
    { status: 200 },
  ),
  probe('a million comments', UNPARSED, asked(`{ __typename } ${'#\n'.repeat(240_000)}`)),
  probe('a million commas', null, asked(`{ __typename ${','.repeat(900_000)} }`)),
  probe('an exponential bomb of fragments, twenty to the sixtieth', null, asked(bomb(60, 20))),
  probe('an exponential bomb of fragments, two to the hundredth', null, asked(bomb(100, 2))),
  probe('an endless bomb of fragments', TOO_LARGE, asked(growingBomb(40))),
  probe('fragments in a circle of a thousand', INVALID, asked(cycle(1_000))),
  probe(
    'unused fragments',
    INVALID,
    asked(`{ __typename } ${repeated(2_000, (i) => `fragment f${i} on Person { nss }`)}`),
  ),
  probe(
    'ten thousand representations of one',
    null,
    asked('query ($r: [_Any!]!) { _entities(representations: $r) { ... on Person { nss } } }', {
      r: Array.from({ length: 10_000 }, () => person()),
    }),
  ),
  probe(
    'a thousand operations over a thousand fragments',
    'OPERATION_RESOLUTION_FAILURE',
    asked(
      `${repeated(1_200, (i) => `query q${i}{...f0}`)} ${repeated(800, (i) => `fragment f${i} on Query { ...f${i + 1} }`)} fragment f800 on Query { __typename }`,
    ),
  ),
  probe(
    'a directive two thousand times',
    INVALID,
    asked(`{ __typename ${repeated(2_000, () => '@skip(if: false)')} }`),
  ),
  probe('seven thousand unknown directives', INVALID, asked(`{ __typename ${repeated(7_000, (i) => `@d${i}`)} }`)),
  probe('a subscription', INVALID, asked('subscription { __typename }')),
  probe('a definition of a type', INVALID, asked('type Query { pwned: String } { __typename }')),
  probe('unused variables', INVALID, asked(`query(${repeated(3_000, (i) => `$x${i}: Int`)}) { __typename }`)),
  probe('one argument a thousand times', INVALID, asked(`{ person(${repeated(1_000, () => 'nss: "1"')}) { nss } }`)),
  probe('names a million letters long', UNPARSED, asked(`{ ${'p'.repeat(900_000)} }`), { silentOn: /p{100}/ }),
  probe(
    'a hundred very long misspelled names',
    UNPARSED,
    asked(`{ ${repeated(100, (i) => `person${'n'.repeat(8_000)}${i}`)} }`),
    { silentOn: /n{100}/ },
  ),
  probe('a block text of a megabyte', UNPARSED, asked(`{ person(nss: """${'\n x'.repeat(200_000)}""") { nss } }`)),
  probe(
    'very deep introspection',
    INVALID,
    asked(`{ __schema { types { ${'fields { type { '.repeat(12)} name ${'} } '.repeat(12)} } } }`),
  ),
];
