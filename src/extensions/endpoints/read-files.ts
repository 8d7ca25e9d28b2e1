// type-graphql needs it before any class of the graph is loaded.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { EndpointDefinition } from '../../../schema/extension';
import { identityRegistryOf } from '../../graph/domains/person/types';
import type { GraphPart } from '../../graph/schema/build-schema';
import { suggestName } from '../../identifiers/edit-distance';
import { isObject } from '../../identifiers/json-value';
import type { PersonEndpoint } from '../../registry/endpoint/person';
import { checkDefinitions } from './check-definitions';
import { checkShape } from './check-shape';
import { toEndpoint } from './to-endpoint';
import { toResolver } from './to-resolver';

export interface ReadEndpoints {
  /** The part of the graph, or null if there are mistakes. */
  readonly graph: GraphPart | null;
  readonly mistakes: readonly string[];
}

/** The exports of a file by name. `mistake` says why it has none. */
interface EndpointFile {
  readonly file: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly mistake?: string;
}

/** Loads files, and returns the part of the graph that they describe, or all their mistakes. */
export async function readFiles(files: readonly string[], nssFinder: string | null): Promise<ReadEndpoints> {
  return readDefinitions(await Promise.all([...new Set(files)].map(load)), nssFinder);
}

const maxLoadMs = 30_000;

async function load(file: string): Promise<EndpointFile> {
  const isPath = /^\.{0,2}\//.test(file) || /\.[cm]?js$/.test(file);
  // Without the timer, a file that waits for nothing would end the process without a word.
  const timer = new AbortController();
  try {
    const target = isPath ? pathToFileURL(resolve(file)).href : locatePackage(file);
    const loaded = (await Promise.race([import(target), tooLate(timer.signal)])) as Readonly<Record<string, unknown>>;
    const exports = definitionsIn(loaded);
    if (Object.keys(exports).length > 0) return { file, exports };
    return { file, exports, mistake: 'it exports nothing. Export the definition of an endpoint.' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = isPath ? 'Check the path and the file.' : 'Install the package, or begin the path of a file with ./';
    const mistake = `it cannot be loaded: ${message.split(/\n| imported from /)[0]?.replace(/\.$/, '')}. ${hint}`;
    return { file, exports: {}, mistake };
  } finally {
    timer.abort();
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await wait(maxLoadMs, undefined, { signal });
  throw new Error('It takes longer than 30 seconds');
}

/** Returns the address of a package of the working directory, or else its name: padron may be installed beside it. */
function locatePackage(name: string): string {
  try {
    return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href;
  } catch {
    return name;
  }
}

/** Returns the exports that may be definitions. A CommonJS file has all of them in `default`, too. */
function definitionsIn(loaded: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { default: whole, ...named } = loaded;
  if (isObject(whole) && 'address' in whole) return { ...('name' in named ? {} : named), default: whole };
  const own = Object.entries(named).filter(([name]) => name !== '__esModule' && name !== 'module.exports');
  const isCommonJs = isObject(whole) && own.every(([name, value]) => whole[name] === value);
  const list = Array.isArray(whole) ? whole.map((each, index) => [`default.${index}`, each]) : [['default', whole]];
  return Object.fromEntries(isCommonJs || whole === undefined ? own : [...own, ...list]);
}

/** Returns the part of the graph that definitions describe, or all their mistakes. */
export function readDefinitions(files: readonly EndpointFile[], nssFinder: string | null): ReadEndpoints {
  const all = files.flatMap(({ file, exports }) =>
    Object.entries(exports).map(([name, value]) => {
      const definition = value as EndpointDefinition;
      return { place: `${file} (${nameIn(value) ?? name})`, definition, mistakes: checkShape(value) };
    }),
  );
  const definitions = all.map(({ definition }) => definition);
  const together = checkDefinitions(definitions);
  const names = definitions.flatMap((each) => (isObject(each) && each.finds === 'nss' ? each.name : []));
  const isFinder = nssFinder === null || names.includes(nssFinder);
  const mistakes = [
    ...files.flatMap(({ file, mistake }) => (mistake === undefined ? [] : `EXTENSIONS: ${file}: ${mistake}`)),
    ...all.flatMap(({ place, mistakes: ofShape }, index) =>
      [...ofShape, ...(together[index] ?? [])].map((mistake) => `EXTENSIONS: ${place}: ${mistake}`),
    ),
    ...(isFinder
      ? []
      : [
          `NSS_FINDER: ${nssFinder} finds no NSS. ${names.length === 0 ? 'Remove it.' : suggestName(nssFinder, names)}`,
        ]),
  ];
  if (mistakes.length > 0) return { graph: null, mistakes };
  return { graph: toGraphPart(definitions, nssFinder), mistakes };
}

const nameIn = (definition: unknown): string | null =>
  isObject(definition) && typeof definition.name === 'string' ? definition.name : null;

function toGraphPart(definitions: readonly EndpointDefinition[], nssFinder: string | null): GraphPart {
  const described = definitions.map((definition) => {
    const { registry, names, field } = definition;
    const comparesPerson = field.startsWith('Person.') && names !== null;
    const identities = comparesPerson ? identityRegistryOf(registry.name, registry, field) : null;
    return { definition, endpoint: toEndpoint(definition, identities) };
  });
  const finder = described.find(({ definition: { name } }) => name === nssFinder);
  return {
    tag: 'lookup',
    resolvers: described.map(({ definition, endpoint }) => toResolver(definition, endpoint)),
    finders:
      finder === undefined
        ? []
        : [{ from: 'curp', finds: 'nss', endpoint: finder.endpoint as PersonEndpoint<unknown, unknown> }],
  };
}
