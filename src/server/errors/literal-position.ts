import {
  type ASTNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isValueNode,
  Kind,
  parse,
  type Source,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { textOf } from '../../graph/operations/document-source';

/** Position of a literal in a document, and the type that the schema expects there. */
export interface LiteralPosition {
  readonly place: string;
  readonly expected: GraphQLInputType;
}

/** A step on the path to a literal. Steps share their parents and create text on demand, so that deep nesting is not slow. */
interface Step {
  readonly parent: Step | undefined;
  readonly print: (fields: string) => string;
  readonly field: string;
}

/** The position of a node. */
interface Entry {
  readonly step: Step | undefined;
  readonly expected: GraphQLInputType;
}

/** Positions by source. All errors of a document share its source, and there may be a hundred of them. */
const entriesBySource = new WeakMap<Source, ReadonlyMap<string, Entry>>();

/** Returns the position of a literal or of a field of an object, or undefined if the schema expects no value there. */
export function findPosition(node: ASTNode, schema: GraphQLSchema): LiteralPosition | undefined {
  const source = node.loc?.source;
  if (!source) return undefined;
  const entries = entriesBySource.get(source) ?? collectEntries(source, schema);
  entriesBySource.set(source, entries);
  const entry = entries.get(nodeKey(node));
  return entry?.step && { place: formatPlace(entry.step), expected: entry.expected };
}

const nodeKey = (node: ASTNode): string => `${node.kind} ${node.loc?.start} ${node.loc?.end}`;

function collectEntries(source: Source, schema: GraphQLSchema): ReadonlyMap<string, Entry> {
  const info = new TypeInfo(schema);
  const entries = new Map<string, Entry>();
  const steps: Step[] = [];
  const visitor = {
    enter(node: ASTNode): void {
      const expected = getExpectedType(node, info);
      if (expected) entries.set(nodeKey(node), { step: steps.at(-1), expected });
      const step = toStep(node, info, steps.at(-1));
      if (step) steps.push(step);
    },
    leave(node: ASTNode): void {
      if (isStep(node)) steps.pop();
    },
  };
  visit(parse(textOf(source)), visitWithTypeInfo(info, visitor));
  return entries;
}

/** Returns the expected type. For a field of an object this is the type of the object, because the field may not exist. */
function getExpectedType(node: ASTNode, info: TypeInfo): GraphQLInputType | undefined {
  if (node.kind === Kind.LIST || node.kind === Kind.OBJECT_FIELD) return info.getParentInputType() ?? undefined;
  return isValueNode(node) ? (info.getInputType() ?? undefined) : undefined;
}

const isStep = (node: ASTNode): boolean =>
  node.kind === Kind.VARIABLE_DEFINITION || node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD;

function toStep(node: ASTNode, info: TypeInfo, parent: Step | undefined): Step | undefined {
  if (node.kind === Kind.OBJECT_FIELD) return parent && { parent, print: parent.print, field: `.${node.name.value}` };
  if (node.kind === Kind.VARIABLE_DEFINITION) {
    return {
      parent: undefined,
      print: (fields) => `Default value of "$${node.variable.name.value}${fields}"`,
      field: '',
    };
  }
  if (node.kind !== Kind.ARGUMENT) return undefined;
  const directive = info.getDirective()?.name;
  const owner = directive === undefined ? `${info.getParentType()?.name}.${info.getFieldDef()?.name}` : `@${directive}`;
  return { parent: undefined, print: (fields) => `Argument "${node.name.value}${fields}" of ${owner}`, field: '' };
}

function formatPlace(step: Step): string {
  const fields: string[] = [];
  for (let current: Step | undefined = step; current; current = current.parent) fields.unshift(current.field);
  return step.print(fields.join(''));
}
