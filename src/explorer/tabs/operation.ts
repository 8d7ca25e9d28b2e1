import { type OperationDefinitionNode, parse } from 'graphql';

/** Returns the operation that Run would send, or null if there is none or the document has a syntax error. */
export function findOperation(query: string, operationName: string | undefined): OperationDefinitionNode | null {
  try {
    const operations = parse(query, { noLocation: true }).definitions.filter(
      (definition): definition is OperationDefinitionNode => definition.kind === 'OperationDefinition',
    );
    return operations.find(({ name }) => name?.value === operationName) ?? operations[0] ?? null;
  } catch {
    return null;
  }
}
