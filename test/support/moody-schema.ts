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

type Mood = 'value' | 'later' | 'nothing' | 'nothing later' | 'thrown' | 'refused' | 'returned' | 'wrong';

const moods: readonly Mood[] = ['value', 'later', 'nothing', 'nothing later', 'thrown', 'refused', 'returned', 'wrong'];

const soon: Readonly<Partial<Record<Mood, Mood>>> = { later: 'value', 'nothing later': 'nothing', refused: 'thrown' };

/** The same place has the same mood in each run of the same seed; most are good. */
function moodOf(seed: number, place: string): Mood {
  const number = hash(`${seed} ${place}`);
  if (number % 100 < 75) return number % 2 === 0 ? 'value' : 'later';
  return moods[number % moods.length] ?? 'value';
}

function hash(text: string): number {
  let sum = 17;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  return sum * 7 + (sum >> 3);
}

function placeOf({ path }: GraphQLResolveInfo): string {
  const keys: (string | number)[] = [];
  for (let step: GraphQLResolveInfo['path'] | undefined = path; step; step = step.prev) keys.unshift(step.key);
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

function good(type: string, args: object, place: string): unknown {
  const thing = (index: number) => ({ __typename: hash(`${place} ${index}`) % 2 === 0 ? 'Node' : 'Leaf' });
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
export interface Temper {
  readonly seed: number;
  /** Nothing comes later: everything is answered at once. */
  readonly atOnce: boolean;
  /** The places that were asked for, in order. */
  readonly asked: string[];
}

const resolve: GraphQLFieldResolver<unknown, Temper> = (_source, args, { seed, atOnce, asked }, info) => {
  const place = placeOf(info);
  const all = good(String(info.returnType).replace(/!$/, ''), args, place);
  const value = atOnce && Array.isArray(all) ? all.filter((entry) => !(entry instanceof Promise)) : all;
  const error = new GraphQLError(`at ${place}`);
  const mood = moodOf(seed, place);
  asked.push(place);
  switch (atOnce ? (soon[mood] ?? mood) : mood) {
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
    case 'refused':
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

export const moodySchema = schema;
