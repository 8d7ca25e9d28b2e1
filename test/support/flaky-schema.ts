import { buildSchema, GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo, isObjectType } from 'graphql';

/** A graph whose fields do all that fields may do: answer at once or later, with a value, nothing, a wrong value or an error. */
const schema = buildSchema(`
  type Query { node(id: Int = 1): Node sureNode: Node! nodes: [Node] sureNodes: [Node!]! grid: [[Int!]] thing: Thing things: [Thing!]
    sum(of: Int! = 4, with: Int, all: [Int!] = [1], in: Box): Int color: Color plain: Plain }
  type Node { id: Int sureId: Int! text: String sureText: String! color: Color! node: Node sureNode: Node! nodes: [Node!] things: [Thing]
    sum(of: Int! = 4, with: Int, all: [Int!] = [1], in: Box): Int plain: Plain! }
  type Leaf { id: Int label: String! node: Node }
  type Plain { number: Int sureNumber: Int! word: String when: When words: [String!] inner: Plain }
  union Thing = Node | Leaf
  enum Color { RED GREEN }
  scalar When
  input Box { width: Int! = 2 height: Int }
`);

type Behaviour = 'value' | 'later' | 'nothing' | 'nothing later' | 'thrown' | 'rejected' | 'returned' | 'wrong';

const behaviours: readonly Behaviour[] = [
  'value',
  'later',
  'nothing',
  'nothing later',
  'thrown',
  'rejected',
  'returned',
  'wrong',
];

const synchronousBehaviours: Readonly<Partial<Record<Behaviour, Behaviour>>> = {
  later: 'value',
  'nothing later': 'nothing',
  rejected: 'thrown',
};

/** The same path behaves alike in each run of the same seed; most paths answer a value. */
function chooseBehaviour(seed: number, pathKey: string): Behaviour {
  const number = hash(`${seed} ${pathKey}`);
  if (number % 100 < 75) return number % 2 === 0 ? 'value' : 'later';
  return behaviours[number % behaviours.length] ?? 'value';
}

function hash(text: string): number {
  let sum = 17;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  return sum * 7 + (sum >> 3);
}

function toPathKey({ path }: GraphQLResolveInfo): string {
  const keys: (string | number)[] = [];
  for (let link: GraphQLResolveInfo['path'] | undefined = path; link; link = link.prev) keys.unshift(link.key);
  return keys.join('.');
}

const plain = (depth: number): object => ({
  number: depth,
  sureNumber: depth === 2 ? null : depth,
  word: depth === 1 ? 42 : 'word',
  when: depth === 3 ? new Error('no time') : new Date(0),
  words: depth === 2 ? ['a', null] : ['a', 'b'],
  inner: depth > 3 ? null : plain(depth + 1),
});

function makeValidValue(type: string, args: object, pathKey: string): unknown {
  const thing = (index: number) => ({ __typename: hash(`${pathKey} ${index}`) % 2 === 0 ? 'Node' : 'Leaf' });
  const values: Readonly<Record<string, unknown>> = {
    Int: JSON.stringify(args).length,
    String: JSON.stringify(args),
    Color: 'RED',
    Node: {},
    Thing: thing(0),
    Plain: plain(0),
    '[[Int!]]': [[1, 2], null, [3, null], Promise.resolve([4])],
    '[Node]': [{}, null, Promise.resolve({}), new Error('an entry')],
    '[Node!]': [{}, {}, Promise.resolve({})],
    '[Thing]': [thing(1), Promise.resolve(thing(2)), { __typename: 'Plain' }],
    '[Thing!]': [thing(1), Promise.resolve(thing(2))],
  };
  return values[type];
}

/** How the fields of one run behave. */
export interface FlakyContext {
  readonly seed: number;
  /** Every field answers at once, none with a promise. */
  readonly isSynchronous: boolean;
  /** The paths of the fields that were resolved, in order. */
  readonly resolvedPaths: string[];
}

const resolve: GraphQLFieldResolver<unknown, FlakyContext> = (
  _source,
  args,
  { seed, isSynchronous, resolvedPaths },
  info,
) => {
  const pathKey = toPathKey(info);
  const validValue = makeValidValue(String(info.returnType).replace(/!$/, ''), args, pathKey);
  const value =
    isSynchronous && Array.isArray(validValue) ? validValue.filter((entry) => !(entry instanceof Promise)) : validValue;
  const error = new GraphQLError(`at ${pathKey}`);
  const behaviour = chooseBehaviour(seed, pathKey);
  resolvedPaths.push(pathKey);
  switch (isSynchronous ? (synchronousBehaviours[behaviour] ?? behaviour) : behaviour) {
    case 'value':
      return value;
    case 'later':
      return Promise.resolve(value);
    case 'nothing':
      return null;
    case 'nothing later':
      return Promise.resolve(undefined);
    case 'thrown':
      throw error;
    case 'rejected':
      return Promise.reject(error);
    case 'returned':
      return error;
    case 'wrong':
      return typeof value === 'object' ? value : { neither: 'number nor text' };
  }
};

for (const type of Object.values(schema.getTypeMap())) {
  if (!isObjectType(type) || type.name.startsWith('__') || type.name === 'Plain') continue;
  for (const field of Object.values(type.getFields())) field.resolve = resolve;
}

export const flakySchema = schema;
