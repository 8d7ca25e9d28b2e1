import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  visit,
} from 'graphql';
// graphql-js rethrows any other error of a rule, which Apollo Server would answer with 500. It exports this one under no other path.
import { validationAbortedError } from 'graphql/validation/validationAbortedError';

/** Message for a document that this rule rejects. */
export const overlapMessage = 'The document selects the same things too often to be checked.';

/** Costs of a comparison: of leaves, of fields with arguments or a selection, and of fragments. */
const weights = { leaf: 1, field: 10, fragment: 3 } as const;
/**
 * Maximum cost, about twenty milliseconds. It allows the same leaf seven hundred times, and the same field with a
 * selection two hundred times.
 */
const maxWeight = 250_000;

/**
 * Rejects a document that selects the same things so often that graphql-js, which compares all pairs of them, would block the
 * event loop. Counts the selections before any other rule compares them.
 */
export function limitOverlaps(_context: ValidationContext): ASTVisitor {
  return {
    Document: (document) => {
      if (weighOverlaps(document) > maxWeight) throw validationAbortedError;
    },
  };
}

/** Whether an error of `validate` comes from this rule. */
export const isOverlapError = (error: GraphQLError): boolean => error === validationAbortedError;

function weighOverlaps(document: DocumentNode): number {
  let weight = 0;
  visit(document, {
    SelectionSet: (selectionSet, _key, parent) => {
      // The fields of an inline fragment belong to the selection around it.
      if (parent !== undefined && 'kind' in parent && parent.kind === Kind.INLINE_FRAGMENT) return;
      weight += weighPairs(selectionSet, new Map(), new Set());
    },
  });
  return weight;
}

/** Returns the cost of one selection. Fields with the same response name are compared with each other, and fragments with all fragments. */
function weighPairs({ selections }: SelectionSetNode, fields: Map<string, number>, fragments: Set<string>): number {
  let weight = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) weight += weighPairs(selection.selectionSet, fields, fragments);
    else if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const count = fields.get(name) ?? 0;
      weight += count * (isLeaf(selection) ? weights.leaf : weights.field);
      fields.set(name, count + 1);
    } else if (!fragments.has(selection.name.value)) {
      weight += fragments.size * weights.fragment;
      fragments.add(selection.name.value);
    }
  }
  return weight;
}

const isLeaf = ({ arguments: values, selectionSet }: FieldNode): boolean =>
  selectionSet === undefined && (values === undefined || values.length === 0);
