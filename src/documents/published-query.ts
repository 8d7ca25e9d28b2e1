import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { countTokens, tokenFingerprint } from './canonical-text';

/** Selections by their texts, which have alias, name, arguments, type condition and directives. Fragments are in the place of their names. */
interface Selections extends ReadonlyMap<string, Selections> {}

/** An operation and the fragments of its document. */
interface Parts {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * A named query that a frontend has published. A part of it is trusted too: it asks no other question than the whole. The client kit sends
 * such parts to ask only for lookups that failed or are still running.
 */
export class PublishedQuery {
  private constructor(
    readonly name: string,
    /** Maximum number of tokens of a part. A part may contain a fragment as it is, and its selections in several places. */
    readonly maxTokens: number,
    private readonly operation: OperationDefinitionNode,
    private readonly selections: Selections,
  ) {}

  /** Returns the query of a valid, normalized document. Returns null if the document is not one named query. */
  static of(document: DocumentNode): PublishedQuery | null {
    const parts = split(document);
    const name = parts?.operation.name?.value;
    if (parts === null || name === undefined) return null;
    const inlined: OperationDefinitionNode = visit(parts.operation, {
      FragmentSpread: (spread) => inline(spread, parts.fragments) ?? undefined,
    });
    const maxTokens = [print(document), print(inlined)]
      .map((text) => countTokens(tokenFingerprint(text, Number.POSITIVE_INFINITY) ?? ''))
      .reduce((sum, tokens) => sum + tokens);
    return new PublishedQuery(name, maxTokens, parts.operation, toSelections([inlined.selectionSet]));
  }

  /**
   * Whether a normalized document is a part of this query: it has the same name and directives, and its variables and selections are in
   * the same places of this query.
   */
  hasPart(document: DocumentNode): boolean {
    const part = split(document);
    if (part === null || part.operation.name?.value !== this.name) return false;
    if (directivesOf(part.operation) !== directivesOf(this.operation)) return false;
    const variables = new Set(this.operation.variableDefinitions?.map(print));
    if (part.operation.variableDefinitions?.some((variable) => !variables.has(print(variable)))) return false;
    const used = new Set<string>();
    // Fragments that contain each other many times would take more steps than their text is long.
    let steps = this.maxTokens;
    const isWithin = ({ selections }: SelectionSetNode, whole: Selections): boolean =>
      selections.every((selection) => {
        steps -= 1;
        if (selection.kind === Kind.FRAGMENT_SPREAD) used.add(selection.name.value);
        const node = selection.kind === Kind.FRAGMENT_SPREAD ? inline(selection, part.fragments) : selection;
        const inner = node === null || steps < 0 ? undefined : whole.get(textOf(node));
        return inner !== undefined && (node?.selectionSet === undefined || isWithin(node.selectionSet, inner));
      });
    return isWithin(part.operation.selectionSet, this.selections) && used.size === part.fragments.size;
  }
}

/** Returns the query and the fragments of a document. Returns null if it has anything else. */
function split({ definitions }: DocumentNode): Parts | null {
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation?.operation !== OperationTypeNode.QUERY) return null;
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  return byName.size + 1 === definitions.length ? { operation, fragments: byName } : null;
}

/** Returns the content of a fragment in the place of its name. Returns null if the document has no such fragment. */
function inline(spread: FragmentSpreadNode, fragments: Parts['fragments']): InlineFragmentNode | null {
  const fragment = fragments.get(spread.name.value);
  if (fragment === undefined) return null;
  const { typeCondition, selectionSet } = fragment;
  const directives = [...(spread.directives ?? []), ...(fragment.directives ?? [])];
  return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet };
}

/** Merges selection sets as GraphQL does: selections with the same text are one. */
function toSelections(sets: readonly SelectionSetNode[]): Selections {
  const merged = new Map<string, SelectionSetNode[]>();
  for (const selection of sets.flatMap(({ selections }) => selections)) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
    const inner = merged.get(textOf(selection)) ?? [];
    merged.set(textOf(selection), inner);
    if (selection.selectionSet !== undefined) inner.push(selection.selectionSet);
  }
  return new Map([...merged].map(([text, inner]) => [text, toSelections(inner)]));
}

/** Returns the text of a selection without its own selections. */
function textOf(selection: Exclude<SelectionNode, FragmentSpreadNode>): string {
  const { selectionSet: _, ...node } = selection;
  if (node.kind === Kind.INLINE_FRAGMENT) return `... ${node.typeCondition?.name.value ?? ''} ${directivesOf(node)}`;
  return print({ ...node, arguments: byName(node.arguments), directives: byName(node.directives) });
}

const directivesOf = ({ directives }: { readonly directives?: readonly DirectiveNode[] | undefined }): string =>
  byName(directives).map(print).join(' ');

const byName = <Node extends ArgumentNode | DirectiveNode>(nodes: readonly Node[] = []): readonly Node[] =>
  nodes.toSorted((left, right) => left.name.value.localeCompare(right.name.value));
