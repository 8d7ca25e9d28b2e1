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

// graphql-js rethrows any other error of a rule, and Apollo Server would respond with 500. This error is exported by this path only.
import { validationAbortedError } from 'graphql/validation/validationAbortedError';
import type { Text } from '../../../identifiers/text';

export const tooManyOverlaps: Text = {
  english: 'The document selects the same fields too often to be validated.',
  spanish: 'El documento pide los mismos campos demasiadas veces para poder validarse.',
};

/** Cost of comparing two leaves, two fields with arguments or a selection, and two fragments. */
const costs = { leaf: 1, field: 10, fragment: 3 } as const;
/** Maximum cost, about twenty milliseconds. It allows the same leaf seven hundred times, or the same field with a selection two hundred times. */
const maxCost = 250_000;

/**
 * Rejects a document that selects the same fields so often that comparing all pairs of them, as a rule of graphql-js does, would block the
 * event loop. This rule only counts the pairs, and runs before that rule.
 */
export function limitOverlaps(_context: ValidationContext): ASTVisitor {
  return {
    Document: (document) => {
      if (countOverlaps(document) > maxCost) throw validationAbortedError;
    },
  };
}

export const isOverlapError = (error: GraphQLError): boolean => error === validationAbortedError;

function countOverlaps(document: DocumentNode): number {
  let cost = 0;
  visit(document, {
    SelectionSet: (selectionSet, _key, parent) => {
      // The fields of an inline fragment belong to the selection around it.
      if (parent !== undefined && 'kind' in parent && parent.kind === Kind.INLINE_FRAGMENT) return;
      cost += countPairs(selectionSet, new Map(), new Set());
    },
  });
  return cost;
}

/** Returns the cost of comparing fields that have the same name in the response, and every fragment with every other. */
function countPairs({ selections }: SelectionSetNode, fields: Map<string, number>, fragments: Set<string>): number {
  let cost = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) cost += countPairs(selection.selectionSet, fields, fragments);
    else if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const count = fields.get(name) ?? 0;
      cost += count * (isLeaf(selection) ? costs.leaf : costs.field);
      fields.set(name, count + 1);
    } else if (!fragments.has(selection.name.value)) {
      cost += fragments.size * costs.fragment;
      fragments.add(selection.name.value);
    }
  }
  return cost;
}

const isLeaf = ({ arguments: values, selectionSet }: FieldNode): boolean =>
  selectionSet === undefined && (values === undefined || values.length === 0);
