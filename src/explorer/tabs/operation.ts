import { type OperationDefinitionNode, parse } from 'graphql';

/** The operation of a document that Run would send; null where there is none, or the document does not parse yet. */
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
