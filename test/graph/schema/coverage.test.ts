import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ConstDirectiveNode, type FieldDefinitionNode, Kind, parse, print, valueFromASTUntyped } from 'graphql';
import { readBalance } from '../../../src/graph/core/pricing/endpoints';
import { type CoverageQuestion, coverageQuestions } from '../../support/operations/coverage-questions';
import { fullSelection } from '../../support/operations/full-selection';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { padronForTests, proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { buildGraph } from '../../support/padrons/whole-padron';
import type { ChangedAnswer, RelayedAnswer } from '../../support/proxies/tampering-proxy';
import { changedAt, leavesOf, nameOf } from './plausible-values';

describe('the fields of the schema', () => {
  const graph = buildGraph();
  const endpoints = graph.catalogue.map(({ endpoint }) => endpoint);
  const BALANCE = '/api/balance';
  const GRAPH = join(__dirname, '../../../src/graph');

  function endpointName(exported: object): readonly string[] {
    return 'envelope' in exported && 'name' in exported ? [String(exported.name)] : [];
  }

  const padron = proxiedPadronForTests();

  function pathOf({ endpoint }: CoverageQuestion): string {
    const entry = endpoints.find(({ name }) => name === endpoint);
    if (entry === undefined) throw new Error(`The catalogue has no ${endpoint}.`);
    return entry.path;
  }

  /** Returns what the graph shows of an answer, without the time of the call. */
  async function shownBy(question: CoverageQuestion): Promise<string> {
    const { data, errors } = await padron.ask(question.ask(fullSelection(graph, question.field)));
    expect(errors).toBeUndefined();
    // Both follow our own clock.
    return JSON.stringify(data, (name, value) => (name === 'checkedAt' || name === 'validUntil' ? undefined : value));
  }

  /** Returns one real answer of the service, because its codes, links and times differ from call to call. */
  async function recorded(question: CoverageQuestion): Promise<RelayedAnswer> {
    const answers: RelayedAnswer[] = [];
    padron.proxy.tamper((answer, { path }) => {
      if (path === pathOf(question)) answers.push(answer);
      return null;
    });
    const shown = await shownBy(question);
    expect(shown).toContain('"outcome":"FOUND"');
    const [answer] = answers;
    if (answer === undefined || answers.length > 1) throw new Error(`${question.field} asked ${answers.length} times.`);
    return answer;
  }

  function shownWith(question: CoverageQuestion, answer: ChangedAnswer): Promise<string> {
    padron.proxy.tamper((_answer, { path }) => (path === pathOf(question) ? answer : null));
    return shownBy(question);
  }

  const problemsIn = (shown: string): readonly string[] =>
    [...shown.matchAll(/"code":"(\w+)"/g)].map(([, code = '']) => code);

  describe('the endpoints of the catalogue', () => {
    it('all have a coverage question', () => {
      expect(new Set(coverageQuestions.map(({ endpoint }) => endpoint))).toEqual(
        new Set(endpoints.map(({ name }) => name)),
      );
    });

    it('are all endpoints of src/graph, except the balance, which has no field', async () => {
      const modules = readdirSync(GRAPH, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('endpoints.ts'),
      );
      const loaded = await Promise.all(modules.map((file) => import(join(GRAPH, file))));
      const names = loaded.flatMap((module) => Object.values<object>(module)).flatMap((value) => endpointName(value));
      expect(names.sort()).toEqual([...endpoints.map(({ name }) => name), 'readBalance'].sort());
    });
  });

  /**
   * Values that the graph does not show: the outcome replaces the first two, and the time of the call is that of padron's own
   * clock (`checkedAt`).
   */
  const notShown = ['meta.fetched_at', 'ok', 'success'];

  describe('each value of a wire record', () => {
    const inJson = coverageQuestions.filter(({ endpoint }) => endpoint !== 'issueOpinion');

    it.each(inJson.map((question, index) => ({ ...question, index })))(
      'is visible in the graph: $endpoint through $field ($index)',
      async (question) => {
        const answer = await recorded(question);
        const baseline = await shownWith(question, answer);
        const places = leavesOf(answer.json);
        expect(places.length).toBeGreaterThan(3);
        const silent: string[] = [];
        const lost: string[] = [];
        for (const place of places) {
          const shown = await shownWith(question, { json: changedAt(answer.json, place) });
          const name = nameOf(place);
          if (shown === baseline || name === 'success' || name === 'ok') silent.push(name);
          else if (problemsIn(shown).includes('UNUSABLE_ANSWER')) lost.push(name);
        }
        const names = places.map(nameOf);
        expect(silent.sort()).toEqual(notShown.filter((name) => names.includes(name)));
        // A status that is not the answer's own makes the answer unusable; no other plausible value does.
        expect(lost).toEqual(names.filter((name) => name === 'status'));
      },
    );

    it('is visible in the graph: every byte of a file that is the whole answer, its name and its type', async () => {
      const question = coverageQuestions.find(({ endpoint }) => endpoint === 'issueOpinion') as CoverageQuestion;
      const answer = await recorded(question);
      const baseline = await shownWith(question, answer);
      const bytes = Buffer.from(answer.bytes);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 8) ^ 1, bytes.length - 8);
      const variants = [
        { bytes },
        { headers: { 'content-disposition': 'attachment; filename="opinion.pdf"' } },
        { headers: { 'content-type': 'application/x-pdf' } },
      ];
      for (const variant of variants) expect(await shownWith(question, variant)).not.toBe(baseline);
    });

    it('is visible in the graph: the balance of the account, in an estimate', async () => {
      const rich = await runPadronBehindProxy({ BALANCE_PATH: BALANCE });
      try {
        const query = '{ unitEstimate(input: { operation: "{ __typename }" }) { currentBalance } }';
        const before = await rich.ask(query);
        expect(before.data.unitEstimate.currentBalance).toMatch(/^\d+$/);
        rich.proxy.tamper(({ json }) => ({ json: { ...(json as object), data: { balance: 17.5 } } }));
        const { data } = await rich.ask(query);
        expect(data.unitEstimate.currentBalance).toBe('17.5');
      } finally {
        await rich.stop();
      }
    });
  });
});

describe('the catalogue of paid fields', () => {
  interface Listed {
    readonly endpoint: string;
    readonly units: number;
    readonly permission: string | null;
    readonly scope: string;
    readonly batch: boolean;
    readonly fields: readonly string[];
  }

  /** The cost and the scopes of a field in the printed schema. */
  interface Printed {
    readonly cost: number;
    readonly scopes: readonly (readonly string[])[] | null;
  }

  /** Fields that ask no endpoint, and want a scope of padron's own. */
  const ownScopes: Readonly<Record<string, readonly string[]>> = {
    padron_proofs: ['Query.registryProofs', 'Query.registryProofDocument'],
    padron_ledger_settle: ['Mutation.settleRegistryBilling'],
    padron_budgets: ['Mutation.setRegistryBudget', 'Mutation.removeRegistryBudget'],
    padron_erase: ['Mutation.eraseRegistrySubject'],
    padron_audit: ['Query.registryAudit'],
    padron_events: ['Query.registryEvents', 'Mutation.resendRegistryEvent'],
  };

  const padron = padronForTests({ environment: { SCHEMA_SCOPES: 'true' } });

  describe('the catalogue', () => {
    it('agrees with the code, with @cost and @requiresScopes of routers, and with registryEndpoints', async () => {
      const { data } = await padron.ask(
        '{ registryEndpoints { endpoint units permission scope batch fields } _service { sdl } }',
      );
      const listed: readonly Listed[] = data.registryEndpoints;
      const served = buildGraph().catalogue.filter(({ fields }) => fields.length > 0);
      expect(listed).toEqual(
        served.map(({ endpoint: { method, path, units, permission, scope, batch }, fields }) => {
          return { endpoint: `${method} ${path}`, units, permission, scope, batch, fields };
        }),
      );
      const expected = listed.flatMap(({ units, scope, fields }) =>
        fields.map((coordinate): [string, Printed] => [coordinate, { cost: units, scopes: [[scope]] }]),
      );
      const own = Object.entries(ownScopes).flatMap(([scope, coordinates]) =>
        coordinates.map((coordinate): [string, Printed] => [coordinate, { cost: 0, scopes: [[scope]] }]),
      );
      expect(printedFields(data._service.sdl)).toEqual(new Map([...expected, ...own]));
    });

    it('has a scope for every endpoint, defined by padron if the interface names no permission', () => {
      const endpoints = [...buildGraph().catalogue.map(({ endpoint }) => endpoint), readBalance];
      const own = endpoints.filter(({ permission }) => permission === null).map(({ scope }) => scope);
      expect(own.filter((scope) => !/^padron_[a-z_]+$/.test(scope))).toEqual([]);
      expect(new Set(endpoints.map(({ scope }) => scope)).size).toBe(endpoints.length);
    });

    it('prints permissions only if the setting asks for them', () => {
      expect(buildGraph().sdl).not.toContain('requiresScopes');
    });
  });

  /** Every field with a price or a permission, by its coordinate. */
  function printedFields(sdl: string): ReadonlyMap<string, Printed> {
    const fields = parse(sdl).definitions.flatMap((node) => {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) return [];
      return (node.fields ?? []).map((field): [string, Printed] => [
        `${node.name.value}.${field.name.value}`,
        read(field),
      ]);
    });
    return new Map(fields.filter(([, { cost, scopes }]) => cost > 0 || scopes !== null));
  }

  function read({ directives = [] }: FieldDefinitionNode): Printed {
    const weight = argumentOf(directives, 'cost');
    const scopes = argumentOf(directives, 'requiresScopes');
    return { cost: Number(weight ?? 0), scopes: (scopes as Printed['scopes'] | undefined) ?? null };
  }

  function argumentOf(directives: readonly ConstDirectiveNode[], name: string): unknown {
    const found = directives.filter((directive) => directive.name.value === name);
    if (found.length > 1) throw new Error(`Twice on one field: ${found.map(print).join(' ')}`);
    const value = found[0]?.arguments?.[0]?.value;
    return value && valueFromASTUntyped(value);
  }
});
