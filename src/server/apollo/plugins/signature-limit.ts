import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** Each opens a private key with a password, which is made to take long. */
const maxVerifications = 2;

/** Rejects operations that verify more signatures than any person has files at hand, before a key is opened. */
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

/** Verifications by the names of their answers: the same name twice is one field. */
function countVerifications({ definitions }: DocumentNode, operation: OperationDefinitionNode): number {
  const answers = new Set<string>();
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) {
        if (selection.name.value === 'verifySignature') answers.add((selection.alias ?? selection.name).value);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return answers.size;
}
