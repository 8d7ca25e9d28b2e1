import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findHeaderError } from '../../src/server/http/request-headers';
import { readConfig } from '../support/padrons/whole-padron';
import { root } from './dockerfile';

/** A rule for a header, in the forms of Apollo Router, Cosmo Router and Hive Router. */
interface HeaderRule {
  readonly op?: string;
  readonly named?: string;
  readonly name?: string;
  readonly insert?: { readonly name: string };
  readonly propagate?: { readonly named: string | readonly string[] };
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const recipe = (router: string) => parse(read(`deploy/routers/${router}-router.yaml`));
const apollo = recipe('apollo');
const cosmo = recipe('cosmo');
const hive = recipe('hive');
const script = read('deploy/routers/main.rhai');

const rulesOf = ({ headers }: typeof apollo): readonly HeaderRule[] => {
  const { request } = headers.subgraphs.padron;
  return request.operations ?? request;
};
const namesIn = (rules: readonly HeaderRule[] = []): readonly string[] =>
  rules.flatMap(({ op, named = [], propagate }) => (op === 'propagate' ? named : (propagate?.named ?? [])));
/** Returns the texts of the first list after these words of the script. */
const inScript = (words: string): readonly string[] => {
  const [, list = ''] = new RegExp(`${words} \\[([^\\]]*)\\]`).exec(script) ?? [];
  return [...list.matchAll(/"([\w-]+)"/g)].map(([, name = '']) => name);
};

const ofOperations = ['x-operation-id', 'x-operation-keep', 'x-operation-retry'];
const routers = [
  {
    name: 'Apollo Router',
    settings: apollo,
    requests: [...namesIn(rulesOf(apollo)), ...inScript('for name in')],
    responses: inScript('return'),
    tracePropagation: apollo.telemetry.exporters.tracing.propagation.trace_context,
  },
  {
    name: 'Cosmo Router',
    settings: cosmo,
    requests: namesIn(rulesOf(cosmo)),
    responses: namesIn(cosmo.headers.subgraphs.padron.response),
    tracePropagation: cosmo.telemetry.tracing.propagation.trace_context,
  },
  {
    name: 'Hive Router',
    settings: hive,
    requests: namesIn(rulesOf(hive)),
    responses: namesIn(hive.headers.subgraphs.padron.response),
    tracePropagation: namesIn(rulesOf(hive)).includes('traceparent'),
  },
] as const;

/** Returns the names in the first column of a table of docs/configuration.md. */
function documented(title: string): readonly string[] {
  const [, page = ''] = read('docs/configuration.md').split(`## ${title}`);
  const rows = (page.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name));
}

describe('the recipes of routers', () => {
  it('are those that are checked here', () => {
    expect(readdirSync(join(root, 'deploy/routers')).sort()).toEqual([
      'apollo-router.yaml',
      'cosmo-router.yaml',
      'hive-router.yaml',
      'main.rhai',
    ]);
  });
});

describe.each(routers)('the recipe of $name', ({ name, settings, requests, responses, tracePropagation }) => {
  const shaping = settings.traffic_shaping;

  it('forwards every header that padron reads from a client, and no other', () => {
    const names = documented('Request headers');
    expect(names.length).toBeGreaterThan(15);
    // The router itself adds the first two. The delays are those of a sandbox, and the last name is an alias.
    const notForwarded = [
      'x-subgraph-secret',
      'apollo-require-preflight',
      'x-sandbox-delay',
      'apollographql-client-name',
    ];
    const expected = names.filter((header) => !notForwarded.includes(header));
    expect(requests.filter((header) => header !== 'traceparent').toSorted()).toEqual(expected.toSorted());
    const unchecked = expected.filter(
      (header) => findHeaderError({ headersDistinct: { [header]: ['a', 'b'] } }) === null,
    );
    expect(unchecked).toEqual(['accept-language']);
  });

  it('has one limit for the requests of an operation: by an ID of the router, or by the trace', () => {
    expect(requests).toEqual(expect.arrayContaining(ofOperations));
    const makesIds = name === 'Apollo Router' && script.includes('headers["x-operation-id"] = request.id');
    expect(makesIds || tracePropagation).toBe(true);
    expect([makesIds, tracePropagation]).toEqual([name === 'Apollo Router', true]);
  });

  it('adds the secret and the header of uploads', () => {
    const added = rulesOf(settings).flatMap(({ op, name: set, insert }) => (op === 'set' ? set : (insert?.name ?? [])));
    expect(added.toSorted()).toEqual(['apollo-require-preflight', 'x-subgraph-secret']);
    expect(read(`deploy/routers/${name.split(' ')[0]?.toLowerCase()}-router.yaml`)).toMatch(/SUBGRAPH_SECRET/);
  });

  it('passes on the response headers that are of the whole operation', () => {
    const ofEachRequest = ['x-units-spent', 'x-request-id', 'cache-control', 'retry-after'];
    const expected = documented('Response headers').filter((header) => !ofEachRequest.includes(header));
    expect(expected).toContain('x-operation-until');
    expect([...responses].toSorted()).toEqual(expected.toSorted());
  });

  it('waits for the turn and the answer of a call', () => {
    const seconds = (2 * readConfig({}).registryTimeoutMs + 10_000) / 1_000;
    const times = [...JSON.stringify(shaping).matchAll(/timeout":"(\d+)s"/g)].map(([, time]) => Number(time));
    // Cosmo Router has no timeout for the whole request.
    expect(times).toHaveLength(name === 'Cosmo Router' ? 1 : 2);
    for (const time of times) expect(time).toBeGreaterThan(seconds);
  });

  it('changes nothing for other subgraphs', () => {
    expect([settings.headers.all, shaping.all]).toEqual([undefined, undefined]);
    expect(Object.keys(settings.headers.subgraphs)).toEqual(['padron']);
    expect(Object.keys(shaping.subgraphs)).toEqual(['padron']);
  });
});

describe('what a router does by default and padron must not have', () => {
  it('is turned off: retries, merged requests and caches', () => {
    expect(apollo.traffic_shaping.subgraphs.padron.deduplicate_query).toBe(false);
    expect(apollo.response_cache.subgraph).toEqual({ subgraphs: { padron: { enabled: false } } });
    expect(cosmo.traffic_shaping.subgraphs.padron.retry).toEqual({ enabled: false });
    expect(cosmo.cache_control_policy.subgraphs).toEqual([{ name: 'padron', value: 'no-store' }]);
    expect(hive.traffic_shaping.subgraphs.padron.dedupe_enabled).toBe(false);
  });

  it('is turned off: errors without their fields, and answers without their units', () => {
    expect(apollo.include_subgraph_errors.subgraphs).toEqual({ padron: true });
    expect(script).toContain('extensions.units = response.context["units"];');
    const fields = cosmo.subgraph_error_propagation.allowed_extension_fields;
    expect(fields).toEqual(
      expect.arrayContaining(['code', 'url', 'retryAfter', 'budget', 'left', 'estimate', 'limit']),
    );
    expect(cosmo.subgraph_extension_propagation.allowed_extension_fields).toEqual(['units']);
    expect(hive.error_masking.subgraphs.padron.enabled).toBe(false);
    expect(hive.response_extensions.propagate.allow).toEqual(['units']);
  });

  it('is marked if it needs a licence, and limits padron only', () => {
    const marked = [...read('deploy/routers/apollo-router.yaml').matchAll(/^# Needs a licence.*\n(\w+):/gm)];
    expect(marked.map(([, section]) => section)).toEqual(['demand_control', 'response_cache']);
    const { static_estimated: limits } = apollo.demand_control.strategy;
    expect(limits.subgraph).toEqual({ subgraphs: { padron: { max: 50, list_size: 1 } } });
    expect(limits.max).toBeGreaterThan(1_000);
  });
});
