import fc from 'fast-check';
import { type GraphQLField, getNamedType, isObjectType } from 'graphql';
import type { AnyEndpoint } from '../../../src/registry/endpoint/endpoint';
import { type CoverageQuestion, coverageQuestions } from '../../support/operations/coverage-questions';
import { fullSelection } from '../../support/operations/full-selection';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { buildGraph } from '../../support/padrons/whole-padron';
import { NOW } from '../../support/sandbox/sandbox-questions';

type Path = readonly (string | number)[];
type Json = Record<string | number, unknown>;

const graph = buildGraph();
const endpointOf = ({ endpoint }: CoverageQuestion): AnyEndpoint => {
  const entry = graph.catalogue.find(({ endpoint: { name } }) => name === endpoint);
  if (entry === undefined) throw new Error(`The catalogue has no ${endpoint}.`);
  return entry.endpoint;
};
/** The questions whose answers have fields. */
const questions = coverageQuestions
  .filter((question) => !['file', 'confirmation'].includes(endpointOf(question).envelope))
  .map((question, index) => ({ ...question, index }));

/** Columns and objects that show whom an answer is about. */
const compared: Readonly<Record<string, readonly string[]>> = {
  findCredit: ['nss', 'scurp', 'rfc'],
  findHousingAccount: ['NSS'],
  findIdentity: ['curp'],
  findLicence: ['idCedula'],
  findCertificate: ['folio'],
  downloadProfessionalStatus: ['curp'],
  resolveObligatedSubject: ['meta', 'meta.registro_patronal'],
  listSnapshots: ['registro_patronal'],
  listReceipts: ['registro_patronal', 'periodo', 'anio', 'mes']
    .map((column) => `params.${column}`)
    .concat('params', 'params.folio_sua', 'comprobantes.registro_patronal'),
  downloadReceipt: ['registro_patronal', 'periodo', 'anio', 'mes', 'folio_sua']
    .map((column) => `params.${column}`)
    .concat('params'),
};

const missing = Symbol('missing');
const kinds: Readonly<Record<string, unknown>> = {
  null: null,
  missing,
  object: { otro: 1 },
  array: [['otro']],
  number: 7.25,
  text: 'otro',
  boolean: true,
};
type Change = readonly [path: Path, kind: string];

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns the paths of all values within a JSON value, but not those of entries of lists. */
function fieldsIn(value: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => fieldsIn(entry, [...path, index]));
  if (!isJson(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [[...path, name], ...fieldsIn(member, [...path, name])]);
}

const leavesIn = (value: unknown, path = ''): readonly (readonly [string, unknown])[] =>
  isJson(value)
    ? Object.entries(value).flatMap(([name, member]) => leavesIn(member, `${path}.${name}`))
    : [[path.slice(1), value]];

const columnOf = (path: Path): string => path.filter((key) => typeof key === 'string').join('.');

function withChanges(payload: unknown, changes: readonly Change[]): unknown {
  const copy = structuredClone(payload);
  for (const [path, kind] of changes) {
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => (isJson(value) ? value[key] : undefined), copy);
    const key = path.at(-1);
    if (!isJson(holder) || key === undefined) continue;
    if (kinds[kind] === missing) delete holder[key];
    else holder[key] = structuredClone(kinds[kind]);
  }
  return copy;
}

/** Returns the fields of the graph on the path of a leaf of an answer. */
function fieldsOnPath(leaf: string): readonly GraphQLField<unknown, unknown>[] {
  let type: unknown = leaf.startsWith('verify') ? graph.schema.getMutationType() : graph.schema.getQueryType();
  return leaf.split('.').flatMap((name) => {
    const field = isObjectType(type) ? type.getFields()[name] : undefined;
    if (field === undefined) return [];
    type = getNamedType(field.type);
    return [field];
  });
}

/** Whether a field of the graph shows a column of the service, as its description says. */
const shows = (leaf: string, path: Path): boolean =>
  (path.join() === 'comprobantes' && leaf.includes('.records.')) ||
  fieldsOnPath(leaf).some(({ description }) =>
    path.some((key, index) => {
      const whole = path
        .slice(0, index + 1)
        .filter((each) => typeof each === 'string')
        .join('.');
      return typeof key === 'string' && (description?.includes(`${key}\``) || description?.includes(`\`${whole}.`));
    }),
  );

const padron = proxiedPadronForTests({}, null, { now: () => NOW });

interface Shown {
  readonly lookup: Json & { readonly outcome: string; readonly problems: readonly Json[]; readonly evidence: Json };
  readonly leaves: ReadonlyMap<string, unknown>;
}

/** Asks a question, to which the service answers with this payload, if there is one. */
async function ask(question: CoverageQuestion, payload?: (original: unknown) => unknown): Promise<Shown> {
  const endpoint = endpointOf(question);
  const [spent] = [padron.spent(), padron.calls()];
  padron.proxy.tamper(({ json }, { path }) => {
    if (path !== endpoint.path || payload === undefined) return null;
    if (endpoint.envelope === 'document') return { json: { ...(payload(json) as object), ok: true } };
    return { json: { ...(json as object), data: payload((json as Json).data) } };
  });
  const { data, errors } = await padron.ask(question.ask(fullSelection(graph, question.field)));
  expect(errors).toBeUndefined();
  expect([padron.spent() - spent, padron.calls().filter((call) => call.endsWith(endpoint.path)).length]).toEqual([
    endpoint.units,
    1,
  ]);
  const [, name = ''] = question.field.split('.');
  const lookup = data[name] ?? data.person?.[name] ?? data.employer?.[name];
  const isCompared = (leaf: string) => !/\.(problems|evidence|content|contentProblem|cfdi|cfdiProblem)\b/.test(leaf);
  return { lookup, leaves: new Map(leavesIn(data).filter(([leaf]) => isCompared(leaf))) };
}

const firstOf = (rows: unknown): unknown => (Array.isArray(rows) ? rows.slice(0, 1) : rows);

/** Returns the payload that is changed: a real answer of the service, with one record. */
async function recordPayload(question: CoverageQuestion): Promise<unknown> {
  let recorded: unknown;
  await ask(question, (original) => {
    recorded = firstOf(original);
    if (isJson(recorded) && 'comprobantes' in recorded)
      recorded = { ...recorded, comprobantes: firstOf(recorded.comprobantes) };
    return recorded;
  });
  return recorded;
}

/** Objects of answers, whose columns may all be absent. */
const objects = new Set([
  'datosDocProbatorio',
  'historial',
  'clasificacion',
  'fraccion',
  'meta',
  'params',
  'files.pdf',
  'files.xml',
]);

/** Fields of the graph that are computed from a column, beside those that show it, or that are parsed from a text of another format. */
const derived = /\.(setAside|count|received|names|paternalSurname|maternalSurname|expiresAt|hasCredit|document\.url)\b/;
const formatted = /(On|At|Until|Date|url|hasCredit|gradeAverage)$/;

/** Expects that an answer with changes is delivered but for these fields, and returns the columns that could not be read. */
function expectDelivered(question: CoverageQuestion, whole: Shown, changed: Shown, changes: readonly Change[]) {
  const isObjectOf = (path: Path, kind: string) => kind === 'object' && objects.has(columnOf(path));
  const { outcome, problems, evidence } = changed.lookup;
  expect([outcome, evidence.billing, evidence.units]).toEqual(['FOUND', 'CHARGED', endpointOf(question).units]);
  const remarks = problems.filter(({ code }) => code === 'FIELD_UNREADABLE');
  const unreadable = remarks.map(({ path }) => (path as string[]).join('.'));
  expect(remarks.every(({ isRemark }) => isRemark)).toBe(true);
  // Each remark is at a changed field, or at the list or object of which nothing else is left.
  const places = changes.map(([path]) => path.join('.'));
  for (const place of unreadable)
    expect([place, places.some((each) => each === place || each.startsWith(`${place}.`))]).toEqual([place, true]);
  const isSelfCompared = unreadable.some((place) =>
    compared[question.endpoint]?.includes(columnOf(place.split('.').map((key) => (/^\d+$/.test(key) ? 0 : key)))),
  );
  if (isSelfCompared) expect(problems).toContainEqual(expect.objectContaining({ code: 'ANSWER_MISMATCH' }));
  for (const [leaf, value] of whole.leaves) {
    const now = changed.leaves.get(leaf);
    if (Object.is(now, value)) continue;
    const causes = changes.filter(([path]) => shows(leaf, path) || derived.test(leaf));
    expect([leaf, causes.length > 0]).toEqual([leaf, true]);
    // A value that is there is only null with a remark. Another object may not have the columns.
    const isGiven = causes.every(([path, kind]) => kind !== 'null' && kind !== 'missing' && !isObjectOf(path, kind));
    if (now === null && isGiven && !derived.test(leaf) && !formatted.test(leaf))
      expect([leaf, unreadable.length > 0]).toEqual([leaf, true]);
  }
  return unreadable;
}

/** Parts of answers without which nothing may be left. */
const parts = new Set([...objects, 'comprobantes']);

/** Without its files, the answer of a download has nothing. */
const isWhole = (path: Path): boolean => ['files', 'ok'].includes(columnOf(path));

describe.each(questions)('an answer of $endpoint ($index)', (question) => {
  it('is delivered but for one field, whatever its value is', async () => {
    const payload = await recordPayload(question);
    const whole = await ask(question, () => payload);
    expect(whole.lookup).toMatchObject({ outcome: 'FOUND', problems: [] });
    const read = new Map<string, string[]>();
    for (const path of fieldsIn(payload).filter((each) => !isWhole(each)))
      for (const kind of Object.keys(kinds)) {
        const change: Change = [path, kind];
        const changed = await ask(question, () => withChanges(payload, [change]));
        const unreadable = expectDelivered(question, whole, changed, [change]);
        if (unreadable.length > 0) read.set(columnOf(path), [...(read.get(columnOf(path)) ?? []), kind]);
      }
    // No scalar is an object, a list or a boolean.
    expect([...read.values()].flat()).toEqual(expect.arrayContaining(['object', 'array', 'boolean']));
  });

  it('is delivered but for three fields at once', async () => {
    const payload = await recordPayload(question);
    const whole = await ask(question, () => payload);
    const paths = fieldsIn(payload).filter((each) => !isWhole(each));
    const change = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...Object.keys(kinds)));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 3 }), async (changes) => {
        const changed = await ask(question, () => withChanges(payload, changes));
        if (changed.lookup.outcome === 'FOUND') expectDelivered(question, whole, changed, changes);
        // Three fields may be all that an answer has.
        else expect(paths.length < 8 || changes.filter(([path]) => parts.has(columnOf(path))).length > 1).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
