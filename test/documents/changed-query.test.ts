import { type ASTNode, Kind, parse } from 'graphql';
import { TrustedDocuments } from '../../src/documents/trusted-documents';
import { type Change, changes, published } from '../support/documents/document-changes';

const documents = new TrustedDocuments([{ source: 'test', id: null, text: published }]);

describe('a query with anything else is not trusted', () => {
  const rejected = (change: Change): readonly string[] => {
    const texts = changes(parse(published), change);
    expect(texts.length).toBeGreaterThan(0);
    return texts.filter((text) => documents.has(text));
  };
  const include = parse('{ a @include(if: false) }').definitions[0];
  const directive = Object(include).selectionSet.selections[0].directives[0];
  const name = (value: string) => ({ kind: Kind.NAME, value });

  it.each<[string, Change]>([
    [
      'an added field, in each place',
      (node) =>
        node.kind === Kind.SELECTION_SET
          ? [{ ...node, selections: [...node.selections, { kind: Kind.FIELD, name: name('rfc') }] }]
          : [],
    ],
    ['another field under the same key', (node) => (node.kind === Kind.FIELD ? [{ ...node, name: name('rfc') }] : [])],
    [
      'another alias, or none',
      (node) =>
        node.kind === Kind.FIELD
          ? [{ ...node, alias: name('x') }, ...(node.alias ? [{ ...node, alias: undefined }] : [])]
          : [],
    ],
    ['a missing argument', (node) => (node.kind === Kind.ARGUMENT ? [null] : [])],
    [
      'an added argument',
      (node) =>
        node.kind === Kind.FIELD
          ? [
              {
                ...node,
                arguments: [
                  ...(node.arguments ?? []),
                  Object(parse('{ a(b: 1) }').definitions[0]).selectionSet.selections[0].arguments[0],
                ],
              },
            ]
          : [],
    ],
    ['another value', (node) => (node.kind === Kind.STRING || node.kind === Kind.INT ? [{ ...node, value: '7' }] : [])],
    [
      'another variable',
      (node, parent) =>
        node.kind === Kind.VARIABLE && parent?.kind !== Kind.VARIABLE_DEFINITION
          ? ['nss', 'all', 'match']
              .filter((variable) => variable !== node.name.value)
              .map((variable) => ({ ...node, name: name(variable) }))
          : [],
    ],
    ['a missing directive', (node) => (node.kind === Kind.DIRECTIVE ? [null] : [])],
    [
      'an added directive, in each place',
      (node) =>
        'directives' in node && node.kind !== Kind.VARIABLE_DEFINITION
          ? [{ ...node, directives: [...(node.directives ?? []), directive] } as ASTNode]
          : [],
    ],
    [
      'another type condition, or none',
      (node) =>
        node.kind === Kind.INLINE_FRAGMENT
          ? [
              { ...node, typeCondition: { kind: Kind.NAMED_TYPE, name: name('Query') } },
              ...(node.typeCondition ? [{ ...node, typeCondition: undefined }] : []),
            ]
          : [],
    ],
    [
      'a fragment on another type',
      (node) =>
        node.kind === Kind.FRAGMENT_DEFINITION
          ? [{ ...node, typeCondition: { kind: Kind.NAMED_TYPE, name: name('Query') } }]
          : [],
    ],
    [
      'another fragment in its place',
      (node) =>
        node.kind === Kind.FRAGMENT_SPREAD
          ? [{ ...node, name: name(node.name.value === 'Proof' ? 'Registries' : 'Proof') }]
          : [],
    ],
    [
      'another type or default of a variable, or no default',
      (node) =>
        node.kind === Kind.VARIABLE_DEFINITION
          ? [
              { ...node, type: { kind: Kind.NAMED_TYPE, name: name('String') } },
              { ...node, defaultValue: { kind: Kind.BOOLEAN, value: false } },
              ...(node.defaultValue ? [{ ...node, defaultValue: undefined }] : []),
            ]
          : [],
    ],
    [
      'an added variable, another name, type of operation or operation',
      (node) =>
        node.kind === Kind.OPERATION_DEFINITION
          ? [
              {
                ...node,
                variableDefinitions: [
                  ...(node.variableDefinitions ?? []),
                  ...(Object(parse('query A($curp: CURP) { a }').definitions[0]).variableDefinitions ?? []),
                ],
              },
              { ...node, name: name('Other') },
              { ...node, name: undefined },
              { ...node, operation: 'mutation' } as ASTNode,
            ]
          : node.kind === Kind.DOCUMENT
            ? [
                { ...node, definitions: [...node.definitions, ...parse('query Other { a }').definitions] },
                {
                  ...node,
                  definitions: [...node.definitions, ...parse('fragment Unused on Person { rfc }').definitions],
                },
                {
                  ...node,
                  definitions: [...node.definitions, ...parse('fragment Proof on Person { rfc }').definitions],
                },
              ]
            : [],
    ],
  ])('%s', (_, change) => {
    expect(rejected(change)).toEqual([]);
  });
});
