import fc from 'fast-check';

/** A generated operation over the flaky schema. */
export interface Question {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly seed: number;
}

const argumentTexts = fc.constantFrom(
  '',
  '(of: 7)',
  '(with: null)',
  '(of: $of)',
  '(of: $with)',
  '(with: $with, all: [1, 2])',
  '(all: $all)',
  '(all: $many)',
  '(in: $box)',
  '(in: { height: $with })',
  '(in: { width: 5 })',
);
const condition = fc.constantFrom('', '', '', ' @include(if: $yes)', ' @skip(if: $yes)', ' @include(if: false)');
const alias = fc.constantFrom('', '', '', 'a: ', 'b: ', '__proto__: ', 'constructor: ');

const parts = (...all: readonly fc.Arbitrary<string>[]) => fc.tuple(...all).map((texts) => texts.join(''));

/** Selections of each type, ever shallower. */
const { node } = fc.letrec<{ node: string; plain: string; thing: string }>((reference) => ({
  plain: selection(
    fc.constantFrom('number', 'sureNumber', 'word', 'when', 'words', '__typename'),
    parts(fc.constant('inner'), condition, fc.constant(' { number '), reference('plain'), fc.constant(' }')),
  ),
  thing: parts(
    fc.constant('{ __typename ... on Node { text '),
    reference('node'),
    fc.constant(' } ... on Leaf { id label node { '),
    reference('node'),
    fc.constant(' } } }'),
  ),
  node: selection(
    parts(alias, fc.constantFrom('id', 'sureId', 'text', 'sureText', 'color', '__typename'), condition),
    parts(fc.constant('sum'), argumentTexts),
    parts(
      alias,
      fc.constantFrom('node', 'sureNode', 'nodes'),
      condition,
      fc.constant(' { id '),
      reference('node'),
      fc.constant(' }'),
    ),
    parts(fc.constant('things '), reference('thing')),
    parts(fc.constant('plain { '), reference('plain'), fc.constant(' }')),
    fc.constantFrom('...Some', '... on Node { text }', '... @include(if: $yes) { sureId }'),
  ),
}));

function selection(...fields: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const [first = fc.constant('__typename'), ...rest] = fields;
  return fc
    .array(fc.oneof({ maxDepth: 4, withCrossShrink: true }, first, ...rest), { minLength: 1, maxLength: 5 })
    .map((texts) => texts.join(' '));
}

const root = fc.array(
  fc.oneof(
    parts(
      alias,
      fc.constantFrom('node', 'node(id: $of)', 'sureNode', 'nodes', 'sureNodes'),
      fc.constant(' { '),
      node,
      fc.constant(' }'),
    ),
    parts(fc.constant('sum'), argumentTexts),
    fc.constantFrom(
      'grid',
      'color',
      '__typename',
      'thing { ... on Leaf { label } __typename }',
      'things { __typename }',
    ),
  ),
  { minLength: 1, maxLength: 4 },
);

const variables = fc.record({
  of: fc.constantFrom(1, 2),
  yes: fc.boolean(),
  with: fc.option(fc.constant(9)),
  all: fc.constantFrom([], [3]),
  box: fc.option(fc.constantFrom({}, { height: 3 }, { width: 1 })),
});

/** Variables that the operation leaves to their defaults, or out. */
const someVariables = fc
  .tuple(variables, fc.subarray(['with', 'all', 'box']))
  .map(([all, omitted]) => Object.fromEntries(Object.entries(all).filter(([name]) => !omitted.includes(name))));

export const operations: fc.Arbitrary<Question> = fc
  .tuple(root, node, someVariables, fc.integer({ min: 0, max: 1_000_000 }))
  .map(([fields, fragment, variables, seed]) => ({
    text: `query ($of: Int!, $yes: Boolean!, $with: Int, $all: [Int!] = [8], $many: [Int!], $box: Box = { width: 6 }) { ${fields.join(' ')} }
fragment Some on Node { ${fragment.replaceAll('...Some', 'id')} }`,
    variables,
    seed,
  }));
