import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';

/** A query with every kind of selection, condition and variable. */
export const published = `query Profile($nss: NSS!, $all: Boolean! = true, $match: NameMatch) @cost(units: 9) {
  person(nss: $nss, name: { names: "ANA", paternalSurname: "LÓPEZ" }) {
    nss
    ...Registries @include(if: $all)
    other: credit { ...Proof record { situation } }
    ... on Person @skip(if: $all) { licences(match: $match, limit: 5) @include(if: $all) { ...Proof records { number title } } }
  }
  relative: person(nss: "04159600263") { nss ...Registries }
}
fragment Registries on Person { curp credit { ...Proof record { hasCredit } } housingAccount { outcome ...Proof } }
fragment Proof on RegistryLookup { outcome problems { code } ... { evidence { units } } }`;

/** Returns other forms of a node, of which each makes another document. Null removes it. */
export type Change = (node: ASTNode, parent: ASTNode | undefined) => readonly (ASTNode | object | null)[];

/** Returns every document that differs from this one by one change, without fragments that it does not use. */
export function changes(document: DocumentNode, change: Change): readonly string[] {
  const texts: string[] = [];
  let position = 0;
  visit(document, {
    enter: (node, _key, parent) => {
      const own = position;
      position += 1;
      for (const form of change(node, parent as ASTNode | undefined)) {
        let index = 0;
        const changed: DocumentNode = visit(document, {
          enter: (candidate) => {
            index += 1;
            return index - 1 === own && candidate === node ? form : undefined;
          },
        });
        const text = withUsed(print(changed));
        if (parseable(text) && text !== withUsed(print(document))) texts.push(text);
      }
    },
  });
  return texts;
}

const parseable = (text: string): boolean => {
  try {
    return parse(text).definitions.length > 0;
  } catch {
    return false;
  }
};

/** Adds the fragments that a query lacks, and removes those of the published query that it does not use. */
export function withUsed(text: string): string {
  if (!parseable(text)) return text;
  const document = parse(text);
  const own = new Set(document.definitions.map((node) => ('name' in node ? node.name?.value : undefined)));
  const shared = parse(published).definitions.filter(
    (node) => node.kind === Kind.FRAGMENT_DEFINITION && !own.has(node.name.value),
  );
  const all = [...document.definitions, ...shared];
  const used = new Set<string>();
  const collect = (node: ASTNode): void =>
    void visit(node, {
      FragmentSpread: ({ name: { value } }) => {
        if (used.has(value)) return;
        used.add(value);
        for (const fragment of all)
          if (fragment.kind === Kind.FRAGMENT_DEFINITION && fragment.name.value === value) collect(fragment);
      },
    });
  for (const node of all) if (node.kind === Kind.OPERATION_DEFINITION) collect(node);
  const definitions = all.filter(
    (node) => node.kind !== Kind.FRAGMENT_DEFINITION || node.name.value === 'Unused' || used.has(node.name.value),
  );
  return print({ ...document, definitions });
}
