import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  separateOperations,
  specifiedRules,
  TokenKind,
  type VariableDefinitionNode,
  validate,
  visit,
} from 'graphql';
import { explainRejection, limitOverlaps } from './document-guards';
import type { OperationLimiter } from './operation-limits';

export interface PublishedDocument {
  readonly source: string;
  /** Key of the document in its file, or null if the file has no keys. */
  readonly id: string | null;
  readonly text: string;
}

/** Error for a file of documents or variables that cannot be used. Its message names the file and says what to do. */
export class DocumentFileError extends Error {
  override readonly name = 'DocumentFileError';
}

const isDocumentFile = (file: string): boolean => /\.(graphql|gql)$/.test(file);
/** Folders of tools and packages, whose documents are not those of the frontend. */
const isForeign = (file: string): boolean => /(^|[\\/])(node_modules|\.[^\\/]+)[\\/]/.test(file);

/**
 * Reads published documents: a JSON file of GraphQL Code Generator, folders of `.graphql` files, or such files. Throws a
 * `DocumentFileError` if a path cannot be used.
 */
export function readDocuments(paths: readonly string[], maxTokens: number): readonly PublishedDocument[] {
  const manifests = paths.filter((path) => path.endsWith('.json'));
  const files = paths.filter((path) => !path.endsWith('.json')).flatMap(listFiles);
  const documents = [...manifests.flatMap(readManifest), ...readFiles(files, maxTokens)];
  if (documents.length === 0)
    throw new DocumentFileError(`${paths.join(', ')}: there is no operation. Check the path.`);
  return documents;
}

/** Returns the documents of a JSON object of IDs and texts, which GraphQL Code Generator writes with `persistedDocuments`. */
function readManifest(file: string): readonly PublishedDocument[] {
  const content = parseJson(file, readText(file));
  const entries = typeof content === 'object' && content !== null && !Array.isArray(content) ? content : null;
  if (entries === null || !Object.values(entries).every((text) => typeof text === 'string'))
    throw new DocumentFileError(
      `${file}: it must be a JSON object of IDs and documents. GraphQL Code Generator writes it with \`persistedDocuments: true\`.`,
    );
  return Object.entries(entries).map(([id, text]) => ({ source: `${file}, ${nameOf(String(text), id)}`, id, text }));
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DocumentFileError(`${file}: it is not JSON. Let GraphQL Code Generator write it again.`);
  }
}

/** Returns the name of the operation and its ID, so that a message can be traced to both. */
function nameOf(text: string, id: string): string {
  const name = /\b(?:query|mutation|subscription)\s+(\w+)/.exec(text)?.[1];
  return name === undefined ? id : `operation ${name} (${id})`;
}

function listFiles(path: string): readonly string[] {
  if (!statOf(path).isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return files.filter((file) => isDocumentFile(file) && !isForeign(file)).map((file) => join(path, file));
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    const action = path.includes('*') ? 'Name a folder or files: only a shell expands patterns.' : 'Check the path.';
    throw new DocumentFileError(`${path}: it cannot be read. ${action}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new DocumentFileError(`${file}: it cannot be read. Check the path.`);
  }
}

/** Returns each operation of the files with the fragments that it uses, which may be in other files. */
function readFiles(files: readonly string[], maxTokens: number): readonly PublishedDocument[] {
  const parsed = files.map((file) => ({ file, document: parseFile(file, maxTokens) }));
  const fragments = collectFragments(parsed);
  return parsed.flatMap(({ file, document }) =>
    document.definitions.filter(isOperation).map((operation) => ({
      source: operation.name === undefined ? file : `${file}, operation ${operation.name.value}`,
      id: null,
      text: printWithFragments(operation, fragments),
    })),
  );
}

const isOperation = (node: DocumentNode['definitions'][number]): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

function parseFile(file: string, maxTokens: number): DocumentNode {
  const text = readText(file);
  const reason = explainRejection(text, maxTokens);
  if (reason !== null) throw new DocumentFileError(`${file}: ${reason.english}`);
  try {
    return visit(parse(text, { maxTokens }), {
      OperationDefinition: withCommentAsDescription,
      VariableDefinition: withCommentAsDescription,
    });
  } catch (error) {
    throw new DocumentFileError(`${file}: ${error instanceof Error ? error.message : 'it is not a document.'}`);
  }
}

/** Makes the comment directly above a definition its description, because older parsers read no descriptions in operations. */
function withCommentAsDescription<Node extends OperationDefinitionNode | VariableDefinitionNode>(node: Node): Node {
  const lines: string[] = [];
  let below = node.loc?.startToken;
  let token = below?.prev;
  while (below && token?.prev && token.kind === TokenKind.COMMENT && token.line === below.line - 1) {
    // This comment belongs to what is before it in its line.
    if (token.prev.line === token.line) break;
    lines.unshift(token.value.trim());
    [below, token] = [token, token.prev];
  }
  return lines.length === 0 || node.description
    ? node
    : { ...node, description: { kind: Kind.STRING, value: lines.join('\n'), block: true } };
}

function collectFragments(
  parsed: readonly { readonly file: string; readonly document: DocumentNode }[],
): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const { file, document } of parsed)
    for (const node of document.definitions) {
      if (node.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const { value: name } = node.name;
      const existing = fragments.get(name);
      if (existing !== undefined && print(existing) !== print(node))
        throw new DocumentFileError(`${file}: another file has a different fragment ${name}. Rename one of them.`);
      fragments.set(name, node);
    }
  return fragments;
}

function printWithFragments(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): string {
  const documents = separateOperations({ kind: Kind.DOCUMENT, definitions: [operation, ...fragments.values()] });
  return Object.values(documents).map(print).join();
}

export interface CheckedDocument extends PublishedDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  readonly limiter: OperationLimiter;
  readonly maxTokens: number;
}

/** Parses a published document and checks it as a request would be checked. Throws a `DocumentFileError` if a request with it would be rejected. */
export function checkDocument(published: PublishedDocument, rules: DocumentRules): CheckedDocument {
  const { source, text } = published;
  const reject = (reason: string): DocumentFileError => new DocumentFileError(`${source}: ${reason}`);
  const reason = explainRejection(text, rules.maxTokens);
  if (reason !== null) throw reject(reason.english);
  const document = parseText(text, rules.maxTokens, reject);
  const [error] = validate(rules.schema, document, [...specifiedRules, limitOverlaps], { maxErrors: 1 });
  if (error !== undefined) throw reject(error.message);
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || others.length > 0)
    throw reject(
      `The document has ${others.length + Number(operation !== undefined)} operations. Publish one document per operation.`,
    );
  if (!rules.schema.getRootType(operation.operation))
    throw reject(`The operation is a ${operation.operation}. Use a query or a mutation.`);
  const excess = rules.limiter.findExcess(rules.limiter.measure(document, operation, {}));
  if (excess !== null) throw reject(excess.message);
  return { ...published, document, operation };
}

function parseText(text: string, maxTokens: number, reject: (reason: string) => DocumentFileError): DocumentNode {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    throw reject(error instanceof Error ? error.message : 'It is not a GraphQL document.');
  }
}
