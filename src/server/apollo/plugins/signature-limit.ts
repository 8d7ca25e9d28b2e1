import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** Maximum number of verifications. Each one decrypts a private key, which is slow by design. */
const maxVerifications = 2;

export class SignatureLimiter {
  private readonly counts = new WeakMap<OperationDefinitionNode, number>();

  check(document: DocumentNode, operation: OperationDefinitionNode): void {
    if (operation.operation !== 'mutation') return;
    const count = this.counts.get(operation) ?? countVerifications(document, operation);
    this.counts.set(operation, count);
    if (count <= maxVerifications) return;
    const message = `The operation verifies ${count} signatures. At most ${maxVerifications} are allowed in one operation.`;
    const excess = { limit: 'signatures', value: count, allowed: maxVerifications };
    throw new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_LARGE', ...excess, http: { status: 400 } } });
  }
}

function countVerifications({ definitions }: DocumentNode, operation: OperationDefinitionNode): number {
  const responseNames = new Set<string>();
  const visitedFragments = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) {
        if (selection.name.value === 'verifySignature') responseNames.add((selection.alias ?? selection.name).value);
      } else if (!visitedFragments.has(selection.name.value)) {
        visitedFragments.add(selection.name.value);
        const fragment = definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return responseNames.size;
}
