import {
  BreakingChangeType,
  buildASTSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  findBreakingChanges,
  findDangerousChanges,
  Kind,
  parse,
  print,
} from 'graphql';

export interface SchemaChange {
  readonly level: 'breaking' | 'dangerous';
  readonly coordinate: string;
  readonly description: string;
}

/** What graphql-js tells between two versions of the graph, and what federation directives tell besides. */
export function changesBetween(before: string, after: string): readonly SchemaChange[] {
  const documents = [parse(before), parse(after)] as const;
  // Federation's directives are not defined in the document, and graphql-js looks at none.
  const [old, young] = documents.map((document) => buildASTSchema(document, { assumeValidSDL: true }));
  if (old === undefined || young === undefined) return [];
  const told = (level: SchemaChange['level'], changes: readonly { type: string; description: string }[]) =>
    changes.map(({ type, description }) => ({ level, coordinate: coordinateIn(type, description), description }));
  return [
    ...told('breaking', findBreakingChanges(old, young)),
    ...keyChanges(...documents),
    ...told('dangerous', findDangerousChanges(old, young)),
    ...routerChanges(...documents),
  ];
}

const name = '([_A-Za-z]\\w*)';
const field = `${name}\\.${name}`;

/** Where graphql-js names the element other than at the start of the sentence. */
const phrases: readonly (readonly [phrase: RegExp, coordinate: string])[] = [
  [new RegExp(`^An? (?:required|optional) arg ${name} on ${field} `), '$2.$3($1:)'],
  [new RegExp(`^An? (?:required|optional) field ${name} on input type ${name} `), '$2.$1'],
  [new RegExp(`^${name} was (?:removed from|added to) enum type ${name}\\.`), '$2.$1'],
  [new RegExp(`^${name} was (?:removed from|added to) union type ${name}\\.`), '$2'],
  [new RegExp(`^${name} added to interfaces implemented by ${name}\\.`), '$2'],
  [new RegExp(`^${field} arg ${name} `), '$1.$2($3:)'],
  [new RegExp(`^Standard scalar ${name} `), '$1'],
  [new RegExp(`^${field} `), '$1.$2'],
  [new RegExp(`^${name} `), '$1'],
];

function coordinateIn(type: string, description: string): string {
  for (const [phrase, coordinate] of phrases) {
    const [words] = phrase.exec(description) ?? [];
    if (words !== undefined) return words.replace(phrase, coordinate);
  }
  throw new Error(`Where is the ${type in BreakingChangeType ? 'breaking ' : ''}change «${description}»?`);
}

type Applied = ReadonlyMap<string, readonly ConstDirectiveNode[]>;

/** The directives on every type and field, by coordinate. */
function directivesIn(document: DocumentNode): Applied {
  const applied = document.definitions.flatMap((node) => {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION) return [];
    const fields = (node.fields ?? []).map(
      (one) => [`${node.name.value}.${one.name.value}`, one.directives ?? []] as const,
    );
    return [[node.name.value, node.directives ?? []] as const, ...fields];
  });
  return new Map(applied);
}

const named = (directives: readonly ConstDirectiveNode[], wanted: string): readonly string[] =>
  directives.filter((directive) => directive.name.value === wanted).map((directive) => print(directive));

/** A key that is gone takes the entity from under the subgraphs that hold it by that key. */
function keyChanges(before: DocumentNode, after: DocumentNode): readonly SchemaChange[] {
  const now = directivesIn(after);
  return [...directivesIn(before)].flatMap(([coordinate, directives]) => {
    const still = now.get(coordinate);
    if (still === undefined) return [];
    return named(directives, 'key')
      .filter((key) => !named(still, 'key').includes(key))
      .map((key) => ({
        level: 'breaking',
        coordinate,
        description: `${coordinate} is no longer an entity by ${key}.`,
      }));
  });
}

/**
 * Another price or size of a list breaks no document, but a budget that was enough. Another tag moves a field into a contract or out
 * of it.
 */
function routerChanges(before: DocumentNode, after: DocumentNode): readonly SchemaChange[] {
  const now = directivesIn(after);
  return [...directivesIn(before)].flatMap(([coordinate, directives]) =>
    ['cost', 'listSize', 'tag'].flatMap((name) => {
      const [old, young] = [directives, now.get(coordinate) ?? directives].map(
        (some) => named(some, name).join(' ') || `no @${name}`,
      );
      if (old === young) return [];
      return [
        { level: 'dangerous' as const, coordinate, description: `${coordinate} has ${young} instead of ${old}.` },
      ];
    }),
  );
}
