import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { people } from '../../../src/sandbox/data/people';
import { NOW } from '../../support/operations/employer-graph';
import { definiteOperations } from '../../support/operations/paid-operations';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

/** Columns of padron, named as the members of a JSON line. */
const ownColumns = ['ref', 'row', 'state', 'units', 'uncertainUnits', 'problems', 'errors'] as const;
/** Aliases at the root that would collide with a column of padron or with the prefix `data`. */
const reserved: ReadonlySet<string> = new Set([...ownColumns, 'data']);

type Row = Readonly<Record<string, string>>;
// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; the tests assert what they read.
type Line = any;

// Dozens of batches take long on a busy machine.
jest.setTimeout(120_000);

describe('the table and the JSON lines of a batch', () => {
  const rig = engineRig('embedded');
  const padron = ledgerPadronForTests(rig, { BATCH_ENDPOINTS: 'any' }, { now: () => NOW });
  const client = new BatchClient(padron);

  /** Runs a batch and returns the content of both result files. */
  async function resultsOf(
    operation: string,
    rows: readonly object[],
  ): Promise<{ readonly table: readonly Row[]; readonly lines: readonly Line[] }> {
    const { id } = await client.ready(operation, rows);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 1000)`);
    const { csvUrl, jsonlUrl } = await client.until(id, 'DONE', 'PAUSED');
    const [csv, jsonl] = [await client.download(csvUrl), await client.download(jsonlUrl)];
    const lines = jsonl.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { table: parse(csv.text, { bom: true, columns: true }), lines };
  }

  it('agree on every field of random operations, for all aliases and also if identifiers are looked up', async () => {
    const seen = new Set<string>();
    const aliases = fc.shuffledSubarray([...reserved, 'attempts', 'lookups', 'person', 'row2', '__proto__'], {
      minLength: 6,
    });
    const variants = fc.constantFrom('outcome', 'outcome: __typename', '__typename', 'outcome problems: __typename');
    await fc.assert(
      fc.asyncProperty(definiteOperations, aliases, variants, async ({ text }, names, outcome) => {
        const operation = text
          .replace(/alias(\d+)/g, (_match, index) => names[Number(index)] ?? '')
          .replaceAll(/\boutcome\b/g, outcome)
          .replaceAll(outcome.includes('problems:') ? ' problems { code }' : / {2,}/g, ' ');
        const { table, lines } = await resultsOf(operation, [{ ref: 'one' }, { ref: 'two' }]);
        expect(table).toHaveLength(2);
        for (const [index, line] of lines.entries()) {
          expect(answersOf(table[index] ?? {})).toEqual(answersIn(line));
          expect(ownOf(table[index] ?? {})).toEqual(ownIn(line));
          for (const [name, value] of answersIn(line)) if (name.endsWith('outcome')) seen.add(value);
        }
      }),
      { seed: 20_261_122, numRuns: 40, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'NOT_RUN']));
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
      {
        ref: 'pedro',
        row: '1',
        state: 'DONE',
        units: '2',
        uncertainUnits: '0',
        problems: '',
        'person.licences.outcome': 'NOT_FOUND',
      },
    ]);
  });

  it('keep the value of an alias that has the name of a column of padron', async () => {
    const operation = `query($nss: NSS) { ref: person(nss: $nss) { nss } row: __typename state: __typename
      data: person(nss: $nss) { ref: nss } problems: person(nss: $nss) { credit { outcome: __typename evidence: __typename } } }`;
    const { table } = await resultsOf(operation, [{ ref: 'label', nss: people[0]?.nss }]);
    expect(table[0]).toMatchObject({
      ref: 'label',
      row: '1',
      state: 'DONE',
      problems: '',
      'data.ref.nss': people[0]?.nss,
      'data.row': 'Query',
      'data.state': 'Query',
      'data.data.ref': people[0]?.nss,
      'data.problems.credit.outcome': 'HousingCreditLookup',
      'data.problems.credit.evidence': 'HousingCreditLookup',
    });
  });
});

/** Returns the cells of a row except the columns of padron. An empty cell equals a missing one. */
function answersOf(row: Row): ReadonlyMap<string, string> {
  const cells = Object.entries(row).filter(([name, text]) => !ownColumns.some((own) => own === name) && text !== '');
  return new Map(cells.map(([name, text]) => [name, text.replace(/^'(?=[=+\-@])/, '')]));
}

/** Returns the cells that are expected for the data of a row. */
function answersIn({ data }: Line): ReadonlyMap<string, string> {
  const leaves = Object.entries(data ?? {}).flatMap(([name, value]) =>
    leavesOf(reserved.has(name) ? `data.${name}` : name, value),
  );
  return new Map(leaves.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function leavesOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === null || value === '') return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, inner]) => leavesOf(`${name}.${member}`, inner));
}

const ownOf = (row: Row): readonly (string | undefined)[] => ownColumns.map((name) => row[name] ?? '');

const ownIn = ({ ref, row, state, units, uncertainUnits, problems, errors }: Line): readonly string[] => [
  ref,
  String(row),
  state,
  String(units),
  String(uncertainUnits),
  problems.map(({ code }: { code: string }) => code).join(' '),
  errors.map(({ message }: { message: string }) => message).join(' '),
];
