import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** Fields of a lookup that decide whether to retry it: `outcome`, `problems { code retryable retryAfter }` and `evidence { checkedAt }`. */
export interface LookupParts {
  readonly outcome: string;
  readonly problems: readonly {
    readonly code: string;
    readonly retryable?: boolean;
    readonly retryAfter?: number | null;
  }[];
  readonly evidence?: { readonly checkedAt?: string | null };
}

/** Returns when a failure was first seen. It is used for lookups without `checkedAt`, for example because no call was sent. */
export type FirstSeen = (path: readonly string[], lookup: unknown) => number;

/** Selects the lookups to ask for again: one lookup of a field, or all those of a list. */
interface Selection {
  isWanted(lookups: readonly LookupParts[], path: readonly string[]): boolean;
}

interface Search extends Selection {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * Returns the part of an operation with the lookups that failed for a reason that passes (`retryable`), and whose `retryAfter` is over.
 * Returns null if there is none. The part has no lookup that was FOUND. It has no failure within a record that was found (the files of a
 * receipt), or in a list with other months that were found. Use `refetch()` for these.
 */
export function documentOfFailed(
  document: DocumentNode,
  data: unknown,
  now: number,
  firstSeen: FirstSeen,
): DocumentNode | null {
  return pruneDocument(document, data, {
    isWanted: (lookups, path) => lookups.every((lookup) => isDue(lookup, path, now, firstSeen)),
  });
}

/**
 * Returns the operation with the selected lookups alone, and with the plain fields beside them, which identify their entity and cost
 * nothing. Returns null if no lookup is selected, or the operation is not a query.
 */
export function pruneDocument(document: DocumentNode, data: unknown, { isWanted }: Selection): DocumentNode | null {
  const fragments = new Map(document.definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]));
  const operation = document.definitions.find(isOperation);
  if (operation?.operation !== 'query') return null;
  const selectionSet = prune(operation.selectionSet, data, [], { fragments, isWanted });
  return selectionSet === null ? null : tidy({ ...operation, selectionSet }, fragments);
}

const isFragment = (definition: DefinitionNode): definition is FragmentDefinitionNode =>
  definition.kind === Kind.FRAGMENT_DEFINITION;
const isOperation = (definition: DefinitionNode): definition is OperationDefinitionNode =>
  definition.kind === Kind.OPERATION_DEFINITION;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isLookup = (value: unknown): value is LookupParts =>
  isObject(value) && typeof value.outcome === 'string' && Array.isArray(value.problems);

function isDue(lookup: LookupParts, path: readonly string[], now: number, firstSeen: FirstSeen): boolean {
  const { outcome, problems, evidence } = lookup;
  // An identifier is missing because the lookup that would have found it failed. The problem of that lookup decides.
  const causes = problems.filter(({ code }) => code !== 'MISSING_IDENTIFIER');
  if (outcome === 'FOUND' || causes.length === 0 || !causes.every(({ retryable }) => retryable === true)) return false;
  const seconds = Math.max(...causes.map(({ retryAfter }) => retryAfter ?? 0));
  if (seconds === 0) return true;
  const checkedAt = Date.parse(evidence?.checkedAt ?? '');
  return (Number.isNaN(checkedAt) ? firstSeen(path, lookup) : checkedAt) + 1_000 * seconds <= now;
}

/** Returns the selections with a wanted lookup, and the plain fields beside them, which cost nothing. Returns null if no lookup is wanted. */
function prune(
  { selections, ...node }: SelectionSetNode,
  data: unknown,
  path: readonly string[],
  search: Search,
): SelectionSetNode | null {
  if (!isObject(data)) return null;
  const kept = selections.map((selection) => pruneSelection(selection, data, path, search));
  if (kept.every((selection) => selection === null)) return null;
  const present = kept.map((selection, index) => selection ?? plainField(selections[index]));
  return { ...node, selections: present.filter((selection) => selection !== null) };
}

const plainField = (selection: SelectionNode | undefined): SelectionNode | null =>
  selection?.kind === Kind.FIELD && selection.selectionSet === undefined ? selection : null;

function pruneSelection(
  selection: SelectionNode,
  data: Readonly<Record<string, unknown>>,
  path: readonly string[],
  search: Search,
): SelectionNode | null {
  if (selection.kind === Kind.FIELD) {
    const name = (selection.alias ?? selection.name).value;
    const value = data[name];
    const innerPath = [...path, name];
    const lookups = Array.isArray(value) ? value : [value];
    if (lookups.length > 0 && lookups.every(isLookup)) return search.isWanted(lookups, innerPath) ? selection : null;
    const selectionSet = selection.selectionSet && prune(selection.selectionSet, value, innerPath, search);
    return selectionSet ? { ...selection, selectionSet } : null;
  }
  const { directives = [] } = selection;
  const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? search.fragments.get(selection.name.value) : selection;
  const selectionSet = fragment && prune(fragment.selectionSet, data, path, search);
  if (!selectionSet) return null;
  const { typeCondition } = fragment;
  return { kind: Kind.INLINE_FRAGMENT, directives, selectionSet, ...(typeCondition ? { typeCondition } : {}) };
}

/** Returns the document without unused variables and fragments, because servers reject them. */
function tidy(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  const variables = new Set<string>();
  const used = new Map<string, FragmentDefinitionNode>();
  const collect = (node: SelectionSetNode): void => {
    visit(node, {
      Variable: ({ name }) => void variables.add(name.value),
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || used.has(name.value)) return;
        used.set(name.value, fragment);
        collect(fragment.selectionSet);
      },
    });
  };
  collect(operation.selectionSet);
  const variableDefinitions = operation.variableDefinitions?.filter(({ variable }) =>
    variables.has(variable.name.value),
  );
  const pruned = { ...operation, ...(variableDefinitions ? { variableDefinitions } : {}) };
  return { kind: Kind.DOCUMENT, definitions: [pruned, ...used.values()] };
}
