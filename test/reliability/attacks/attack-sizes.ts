import { getIntrospectionQuery } from 'graphql';
import { people as inhabitants } from '../../../src/extensions/sandbox/data/people';
import { asked, type Probe, probe, repeated } from './probe';

const TOO_LARGE = 'OPERATION_TOO_LARGE';
const INVALID = 'GRAPHQL_VALIDATION_FAILED';
const UNPARSED = 'GRAPHQL_PARSE_FAILED';
const STRANGER = 'BAD_USER_INPUT';

const aliased = (times: number, field: string): string => repeated(times, (i) => `a${i}:${field}`);
const entities = (selection: string, before = ''): string =>
  `query ($of: [_Any!]!) {${before} _entities(representations: $of) { ${selection} } }`;
const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ __typename: 'Person', nss: `${10_000_000_000 + i}` }));
const employers = (count: number) =>
  Array.from({ length: count }, () => ({ __typename: 'Employer', registration: 'Y6077636105' }));
const strangers = (count: number) => Array.from({ length: count }, () => ({ __typename: 'Stranger' }));
/** Characters that grow: a ligature to eighteen letters if decomposed, a control character to six characters in JSON. */
const signs = { '\ufdfa': 'a ligature', '\u0001': 'a control character' } as const;
const lines = '\n'.repeat(19_000);
const long = '1'.repeat(800_000);

const estimate = (operation: string, rows: readonly unknown[], times = 1): Probe['send'] =>
  asked(`query ($input: UnitEstimateInput!) { ${aliased(times, 'unitEstimate(input: $input) { rowCount }')} }`, {
    input: { operation, rows },
  });
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ nss: inhabitants[i % 200]?.nss }));
const paid = (selection: string): string => `query ($nss: NSS) { person(nss: $nss) { ${selection} } }`;

const everyField =
  'fragment T on __Type { fields { name description args { name type { name kind } } type { kind ofType { kind name } name } } }';

/** Small requests with large responses, errors or estimates, and the largest ones that are still answered. */
export const sizeAttacks: readonly Probe[] = [
  probe('the usual introspection', null, asked(getIntrospectionQuery({ inputValueDeprecation: true }))),
  probe('one SDL', null, asked('query { _service { sdl } }')),
  probe('80 SDLs', null, asked(`{ ${aliased(80, '_service { sdl }')} }`)),
  probe('2,000 SDLs', TOO_LARGE, asked(`{ ${aliased(2_000, '_service { sdl }')} }`)),
  probe('4,000 aliases of one SDL', TOO_LARGE, asked(`{ _service { ${aliased(4_000, 'sdl')} } }`)),
  probe('the names of all types, 120 times', null, asked(`{ ${aliased(120, '__schema { types { name } }')} }`)),
  probe(
    'all fields of all types, 250 times',
    TOO_LARGE,
    asked(`{ ${aliased(250, '__schema { types { ...T } }')} } ${everyField}`),
  ),
  probe(
    'one type, a thousand times',
    TOO_LARGE,
    asked(`query ($n: String!) { ${aliased(1_000, '__type(name: $n) { ...T }')} } ${everyField}`, {
      n: 'HousingCredit',
    }),
  ),
  probe(
    '3,500 aliases of the name of every field',
    TOO_LARGE,
    asked(`{ __schema { types { fields { ${aliased(3_500, 'name')} } } } }`),
  ),
  probe(
    'the endpoints, 1,200 times',
    TOO_LARGE,
    asked(`{ ${aliased(1_200, 'registryEndpoints { endpoint fields }')} }`),
  ),
  probe(
    'the type names of ten thousand entities',
    TOO_LARGE,
    asked(entities(aliased(20, '__typename')), { of: strangers(10_000) }),
  ),
  probe(
    'two aliases of 1,000 letters for each of 6,000 entities',
    TOO_LARGE,
    asked(entities(`... on Person { ${'n'.repeat(1_000)}: nss ${'m'.repeat(1_000)}: nss }`), { of: people(6_000) }),
  ),
  probe(
    'a number of 800,000 digits, returned 700 times',
    null,
    asked(`query ($nss: NSS) { person(nss: $nss) { ${aliased(700, 'nss')} } }`, { nss: long }),
  ),
  ...(['\ufdfa', '\u0001'] as const).flatMap((sign) => [
    probe(
      `a hundred times ${signs[sign]} in an identifier, returned 45,000 times`,
      TOO_LARGE,
      asked(
        `query ($n: NSS!) { ${aliased(50, 'person(nss: $n) { ...F }')} } fragment F on Person { ${aliased(900, 'nss')} }`,
        { n: sign.repeat(100) },
      ),
    ),
    probe(
      `a hundred times ${signs[sign]} in the keys of 50 entities, each returned 900 times`,
      null,
      asked(entities(`... on Person { ${aliased(900, 'curp')} }`), {
        of: Array(50).fill({ __typename: 'Person', curp: sign.repeat(100) }),
      }),
    ),
  ]),
  probe(
    'a null condition in 24,000 objects',
    TOO_LARGE,
    asked(
      `query ($of: [_Any!]!, $s: Boolean = true) { _entities(representations: $of) { ... on Person { ${aliased(8, 'credit { outcome @skip(if: $s) }')} } } }`,
      { of: people(3_000), s: null },
    ),
  ),
  probe(
    'a kind of 800,000 letters in 600 fields',
    null,
    asked(
      `query ($kind: String) { ${repeated(600, (i) => `a${i}: employer(registration: "Y${i}") { complianceOpinion(kind: $kind) { outcome } }`)} }`,
      { kind: long },
      { 'x-dry-run': 'true' },
    ),
  ),
  probe(
    'ten thousand unknown entities in 19,000 lines',
    STRANGER,
    asked(entities('__typename', lines), { of: strangers(10_000) }),
    { status: 200 },
  ),
  probe(
    'ten thousand unknown entities after half a megabyte of commas',
    STRANGER,
    asked(entities('__typename', ','.repeat(500_000)), { of: strangers(10_000) }),
    { status: 200 },
  ),
  probe(
    'an argument that fails for each of 5,000 employers',
    TOO_LARGE,
    asked(
      `query ($of: [_Any!]!, $p: YearMonth = "2026-01") {${lines} _entities(representations: $of) { ... on Employer { receipts(period: $p) { outcome } } } }`,
      { of: employers(5_000), p: null },
    ),
  ),
  probe(
    'an argument thirty times in each of a hundred fields, in 19,000 lines',
    INVALID,
    asked(`{${lines} ${aliased(100, `person(${'nss: "1" '.repeat(30)}) { nss }`)} }`),
  ),
  probe(
    'a name of half a megabyte in each of two thousand errors',
    UNPARSED,
    asked(`query ($of: [_Any!]!) { ${'n'.repeat(500_000)}: _entities(representations: $of) { __typename } }`, {
      of: strangers(2_000),
    }),
  ),
  probe('a document of 400,000 lines', UNPARSED, asked(`{ __typename ${'\n'.repeat(400_000)} }`)),
  probe('5,000 rows of one paid field', null, estimate(paid('credit { outcome }'), rows(5_000))),
  probe('10,000 rows of four paid fields', null, estimate(paid(aliased(4, 'credit { outcome }')), rows(10_000))),
  probe('10,000 rows of six paid fields', TOO_LARGE, estimate(paid(aliased(6, 'credit { outcome }')), rows(10_000)), {
    status: 200,
  }),
  probe(
    '200 rows of a thousand free fields',
    TOO_LARGE,
    estimate(`{ ${aliased(1_000, 'registryEndpoints { units }')} }`, Array(200).fill({})),
    { status: 200 },
  ),
  probe(
    'three estimates of 700 free fields',
    null,
    estimate(`{ ${aliased(700, 'registryEndpoints { units }')} }`, [{}, {}], 3),
  ),
];
