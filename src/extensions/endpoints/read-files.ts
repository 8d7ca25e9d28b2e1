// type-graphql needs it before any class of the graph is loaded.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EndpointDefinition, Given } from '../../../schema/extension';
import { identityRegistryOf } from '../../graph/domains/person/types';
import type { GraphPart } from '../../graph/schema/build-schema';
import { isObject } from '../../identifiers/json-value';
import type { IdentifierFinder, PersonEndpoint } from '../../registry/endpoint/person';
import { checkDefinitions } from './check-definitions';
import { checkShape } from './check-shape';
import { toEndpoint } from './to-endpoint';
import { toResolver } from './to-resolver';

export interface ReadEndpoints {
  /** The part of the graph, or null if there are mistakes. */
  readonly graph: GraphPart | null;
  readonly mistakes: readonly string[];
}

/** The definitions of a file. `mistake` says why it has none. */
interface DefinitionsFile {
  readonly file: string;
  readonly definitions: readonly unknown[];
  readonly mistake?: string;
}

/** Loads files, and returns the part of the graph that they describe, or all their mistakes. */
export async function readFiles(files: readonly string[], finders: readonly string[]): Promise<ReadEndpoints> {
  return readDefinitions(await Promise.all([...new Set(files)].map(load)), finders);
}

async function load(file: string): Promise<DefinitionsFile> {
  const isPath = /^\.{0,2}\//.test(file) || /\.[cm]?js$/.test(file);
  try {
    const path = isPath ? resolve(file) : createRequire(join(process.cwd(), 'package.json')).resolve(file);
    const exported = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
    // A CommonJS file has all its exports in `default`, too.
    const names = Object.keys(exported).filter((name) => name !== 'default' && name !== 'module.exports');
    const definitions = (names.length > 0 ? names : ['default']).flatMap((name) => exported[name] ?? []);
    if (definitions.length > 0) return { file, definitions };
    return { file, definitions, mistake: 'it exports nothing. Export the definition of an endpoint.' };
  } catch (error) {
    const { message } = error as Error;
    const hint = isPath ? 'Check the path and the file.' : 'Install the package, or begin the path of a file with ./';
    return {
      file,
      definitions: [],
      mistake: `it cannot be loaded: ${message.split(/\n| imported from /)[0]}. ${hint}`,
    };
  }
}

/** Returns the part of the graph that definitions describe, or all their mistakes. */
export function readDefinitions(files: readonly DefinitionsFile[], finders: readonly string[]): ReadEndpoints {
  const all = files.flatMap(({ file, definitions }) =>
    definitions.map((definition) => ({ file, definition, mistakes: checkShape(definition) })),
  );
  const whole = all.filter(({ mistakes }) => mistakes.length === 0).map(({ definition }) => definition);
  const checked = checkDefinitions(whole as readonly EndpointDefinition[]);
  const finding = (whole as readonly EndpointDefinition[]).filter(({ finds }) => finds !== undefined);
  const names = finding.map(({ name }) => name);
  const mistakes = [
    ...files.flatMap(({ file, mistake }) => (mistake === undefined ? [] : `EXTENSIONS: ${file}: ${mistake}`)),
    ...all.flatMap(({ file, definition, mistakes: ofShape }) =>
      [...ofShape, ...(checked.get(definition as EndpointDefinition) ?? [])].map(
        (mistake) => `EXTENSIONS: ${file}${nameIn(definition)}: ${mistake}`,
      ),
    ),
    ...finders
      .filter((name) => !names.includes(name))
      .map(
        (name) =>
          `FINDERS: ${name} finds no identifier. ${names.length === 0 ? 'Remove it.' : `Use ${names.join(', ')}.`}`,
      ),
  ];
  if (mistakes.length > 0) return { graph: null, mistakes };
  return { graph: toGraphPart(whole as readonly EndpointDefinition[], finders), mistakes };
}

const nameIn = (definition: unknown): string =>
  isObject(definition) && typeof definition.name === 'string' ? ` (${definition.name})` : '';

function toGraphPart(definitions: readonly EndpointDefinition[], finders: readonly string[]): GraphPart {
  const described = definitions.map((definition) => {
    const { registry, names, field } = definition;
    const comparesPerson = field.startsWith('Person.') && names !== null;
    return {
      definition,
      endpoint: toEndpoint(definition, comparesPerson ? identityRegistryOf(registry.name, registry, field) : null),
    };
  });
  return {
    tag: 'lookup',
    resolvers: described.map(({ definition, endpoint }) => toResolver(definition, endpoint)),
    finders: described.flatMap(({ definition: { name, finds, input }, endpoint }): readonly IdentifierFinder[] => {
      const [given] = Object.values(input) as readonly Given[];
      if (finds === undefined || given === undefined || given.from === 'registration' || !finders.includes(name))
        return [];
      return [{ from: given.from, finds, endpoint: endpoint as PersonEndpoint<unknown, unknown> }];
    }),
  };
}
