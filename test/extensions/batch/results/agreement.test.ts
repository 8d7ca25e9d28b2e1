import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Kind, parse as parseDocument, type SelectionSetNode } from 'graphql';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { NOW } from '../../../support/operations/employer-graph';
import { definiteOperations } from '../../../support/operations/paid-operations';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

/** Aliases that have the name of a member of a JSON line, or are easily confused with one. */
const aliasNames = ['ref', 'row', 'state', 'units', 'uncertainUnits', 'problems', 'errors', 'data', 'input'] as const;
/** Headers of padron in English. */
const ownHeaders = ['State', 'Problem', 'Problem codes', 'Remarks', 'Line', 'Units', 'Uncertain units'];
/** Fields whose values are enums that have words. */
const wordFields = ['outcome', 'billing', 'servedFrom'];

/** A field without a selection set: its response names, whether it is an outcome, and whether its values are words. */
interface Leaf {
  readonly path: readonly string[];
  readonly isOutcome: boolean;
  readonly isWord: boolean;
}
// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; the tests assert what they read.
type Line = any;

// Dozens of batches take long on a busy machine.
jest.setTimeout(120_000);

describe('the table and the JSON lines of a batch', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig, { BATCH_ENDPOINTS: 'any' }, { now: () => NOW });
  const client = new BatchClient(padron);

  /** Runs a batch and returns the content of both result files. */
  async function resultsOf(
    operation: string,
    rows: readonly object[],
  ): Promise<{ readonly table: readonly (readonly string[])[]; readonly lines: readonly Line[] }> {
    const { csvUrl, jsonlUrl } = await client.runRows(operation, rows, 1000);
    const [csv, jsonl] = [await client.download(csvUrl), await client.download(jsonlUrl)];
    const lines = jsonl.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { table: parse(csv.text, { bom: true }), lines };
  }

  it('agree on every field of random operations, for all aliases and also if identifiers are looked up', async () => {
    const seen = new Set<string>();
    const aliases = fc.shuffledSubarray(
      [...aliasNames, 'State', 'attempts', 'lookups', 'person', 'row2', '__proto__'],
      { minLength: 6 },
    );
    const variants = fc.constantFrom('outcome', 'outcome: __typename', '__typename', 'outcome problems: __typename');
    await fc.assert(
      fc.asyncProperty(definiteOperations, aliases, variants, async ({ text }, names, outcome) => {
        const operation = text
          .replace(/alias(\d+)/g, (_match, index) => names[Number(index)] ?? '')
          .replaceAll(/\boutcome\b/g, outcome)
          .replaceAll(outcome.includes('problems:') ? ' problems { code }' : / {2,}/g, ' ');
        const { table, lines } = await resultsOf(operation, [{ ref: 'one' }, { ref: 'two' }]);
        const [headers = [], ...cells] = table;
        const leaves = leavesOf(operation);
        expect(headers.slice(0, 1 + ownHeaders.length)).toEqual(['ref', ...ownHeaders]);
        expect(headers).toHaveLength(1 + ownHeaders.length + leaves.length);
        expect(new Set(headers.map((header) => header.toLowerCase())).size).toBe(headers.length);
        expect(cells).toHaveLength(2);
        for (const [index, line] of lines.entries()) {
          const expected = [...ownIn(line), ...leaves.map(({ path, isWord }) => textAt(line.data, path, isWord))];
          expect(cells[index]?.map((text) => text.replace(/^'(?=[=+\-@])/, ''))).toEqual(expected);
          for (const { path, isOutcome } of leaves) if (isOutcome) seen.add(textAt(line.data, path, true));
        }
      }),
      { seed: 20_261_122, numRuns: 40, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['Found', 'Not found', 'Invalid input', 'Not run']));
  });

  it('show NOT_FOUND for a person with a credit but no licence, and keep the call for the credit out of the table', async () => {
    const person = people.find(({ credit, licences }) => credit && licences.length === 0);
    const operation = 'query($nss: NSS) { person(nss: $nss) { licences { outcome records { number } } } }';
    padron.calls();
    const { table, lines } = await resultsOf(operation, [{ ref: 'pedro', nss: person?.nss }]);
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito', 'POST /api/sep/grupo/obtener-cedula']);
    expect(lines[0].data.person.licences).toEqual({ outcome: 'NOT_FOUND', records: [] });
    expect(lines[0].lookups.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['FOUND', 'NOT_FOUND']);
    expect(table).toEqual([
      ['ref', 'nss', ...ownHeaders, 'Licences: outcome', 'Licences: number'],
      ['pedro', person?.nss, 'Done', '', '', '', '1', '2', '0', 'Not found', ''],
    ]);
  });

  it('keep the value of an alias that has the name of a column', async () => {
    const operation = `query($nss: NSS) { State: person(nss: $nss) { nss } NSS: __typename Line: __typename
      data: person(nss: $nss) { ref: nss } problems: person(nss: $nss) { credit { outcome: __typename evidence: __typename } } }`;
    const { table } = await resultsOf(operation, [{ ref: 'label', nss: people[0]?.nss }]);
    const answers = ['State: NSS', 'NSS (2)', 'Line (2)', 'data: ref', 'problems: credit: outcome'];
    expect(table).toEqual([
      ['ref', 'nss', ...ownHeaders, ...answers, 'problems: credit: evidence'],
      [
        ...['label', people[0]?.nss, 'Done', '', '', '', '1', '1', '0'],
        ...[people[0]?.nss, 'Query', 'Query', people[0]?.nss, 'HousingCreditLookup', 'HousingCreditLookup'],
      ],
    ]);
  });
});

/** Returns the fields without a selection set, in the order of the answer. The operations of this file have no fragments. */
function leavesOf(operation: string): readonly Leaf[] {
  const [definition] = parseDocument(operation).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation.');
  return leavesBelow([definition.selectionSet], []);
}

function leavesBelow(sets: readonly SelectionSetNode[], above: readonly string[]): readonly Leaf[] {
  const fields = sets.flatMap(({ selections }) => selections).filter((selection) => selection.kind === Kind.FIELD);
  const names = [...new Set(fields.map(({ alias, name }) => alias?.value ?? name.value))];
  return names.flatMap((response) => {
    const nodes = fields.filter(({ alias, name }) => (alias?.value ?? name.value) === response);
    const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const path = [...above, response];
    return inner.length > 0 ? leavesBelow(inner, path) : [leafOf(path, nodes[0]?.name.value ?? '')];
  });
}

const leafOf = (path: readonly string[], name: string): Leaf => ({
  path,
  isOutcome: name === 'outcome',
  isWord: wordFields.includes(name),
});

/** Returns the text that is expected for a field: the values of a list are joined, and every record of a list has its place. */
function textAt(value: unknown, [name, ...rest]: readonly string[], isWord: boolean): string {
  if (Array.isArray(value)) {
    const texts = value.map((item) => textAt(item, name === undefined ? [] : [name, ...rest], isWord));
    return texts.some((text) => text !== '') ? texts.join('; ') : '';
  }
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === undefined) return isWord ? inWords(String(value)) : String(value);
  return textAt(Object.entries(value).find(([member]) => member === name)?.[1], rest, isWord);
}

/** Returns `Not found` for `NOT_FOUND`. */
const inWords = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');

/** Returns the cells that are expected for the label and the columns of padron. */
const isDoubt = ({ code }: { readonly code: string }): boolean =>
  code === 'ANSWER_MISMATCH' || code === 'IDENTITY_CONFLICT';

const ownIn = ({ ref, line, state, units, uncertainUnits, remarks, problems, errors }: Line): readonly string[] => [
  ref,
  state.charAt(0) + state.slice(1).toLowerCase() + (state === 'DONE' && problems.some(isDoubt) ? ', review' : ''),
  [...new Set([...problems, ...errors].map(({ message }: { message: string }) => message))].join(' '),
  [...new Set(problems.map(({ code }: { code: string }) => code))].join(' '),
  remarks.join(' '),
  String(line),
  String(units),
  String(uncertainUnits),
];
