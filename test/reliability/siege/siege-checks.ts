import { parse as parseCsv } from 'csv-parse/sync';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { Store } from '../../../src/store/store';
import type { BatchClient } from '../../support/requests/batches';
import { askers, type Siege, type SiegedBatch, type Spender } from './siege';

/** A fault that was found. The siege collects all faults and reports them at its end. */
export class SiegeFault extends Error {}

function check(holds: boolean, what: string): void {
  if (!holds) throw new SiegeFault(what);
}

/**
 * Expects a batch to belong to the client that created it. Another client can neither see nor change it. A client with the scope
 * `padron_batches_all` can see it.
 */
export async function expectOwnership(siege: Siege, batch: SiegedBatch): Promise<void> {
  const stranger: Spender = batch.owner === 'payroll' ? 'intern' : 'payroll';
  const seen = await siege.persist(() => siege.as(stranger).get(batch.id));
  check(seen === null, `${stranger} sees a batch of ${batch.owner}`);
  const { problems } = await siege.persist(() => siege.as(stranger).change(`pauseRegistryBatch(id: "${batch.id}")`));
  check(problems[0]?.code === 'BATCH_NOT_FOUND', `${stranger} may change a batch of ${batch.owner}`);
  const shown = await siege.persist(() => siege.as('auditor').get(batch.id));
  check(shown?.id === batch.id, `the auditor does not see a batch of ${batch.owner}`);
}

/** Expects the rows to belong to the batch, to add up, and to be the same in the graph, in CSV and in JSON lines. */
export async function expectRows(siege: Siege, { id, owner, people }: SiegedBatch): Promise<void> {
  const client: BatchClient = siege.as(owner);
  const batch = await client.get(id);
  const { progress } = batch;
  const rows = await client.rows(id);
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  check(rows.length === people.length + Math.ceil(people.length / 10), `${id} has ${rows.length} rows`);
  check(
    rows.every(({ ref, number }) => ref === `${number - 1}`),
    `${id} holds rows of another batch`,
  );
  for (const [state, counted] of [
    ['DONE', progress.done],
    ['FAILED', progress.failed],
    ['UNKNOWN', progress.unknown],
  ] as const)
    check(count(state) === counted, `${id} has ${count(state)} rows that are ${state}, and counts ${counted}`);
  check(
    count('WAITING') + count('RUNNING') + count('CANCELED') + progress.done + progress.failed + progress.unknown ===
      rows.length,
    `${id}: rows do not add up`,
  );
  const paid = rows.reduce((sum, { units }) => sum + units, 0);
  check(paid <= progress.spentUnits, `${id}: rows cost ${paid}, and the batch ${progress.spentUnits}`);
  const lines = (await client.download(batch.jsonlUrl)).text.trimEnd().split('\n');
  const fromJson = lines
    .map((line) => JSON.parse(line))
    .map(({ ref, line, state, units }) => [ref, line, state, units].join());
  const [headers = [], ...cells] = parseCsv((await client.download(batch.csvUrl)).text, { bom: true }) as string[][];
  const cellOf = (row: readonly string[], header: string) => row[headers.indexOf(header)];
  const fromCsv = cells.map((row) =>
    [cellOf(row, 'ref'), cellOf(row, 'Line'), cellOf(row, 'State')?.toUpperCase(), cellOf(row, 'Units')].join(),
  );
  check(fromCsv.join('\n') === fromJson.join('\n'), `${id}: CSV and JSON lines differ`);
  check(fromJson.length === rows.length, `${id}: ${fromJson.length} lines for ${rows.length} rows`);
}

/** Expects no call, no reserved unit and no lease of a row to be left when all processes have ended. */
export async function expectEnded(store: Store): Promise<void> {
  const [open] = await store.query<{ readonly entries: number; readonly calls: number; readonly rows: number }>(
    `SELECT (SELECT count(*)::integer FROM ledger_entries WHERE outcome = 'OPEN') AS entries,
      (SELECT count(*)::integer FROM calls WHERE state = 'OPEN') +
      (SELECT count(*)::integer FROM operation_calls) AS calls,
      (SELECT count(*)::integer FROM batch_row WHERE state = 'RUNNING') AS rows`,
  );
  check(open?.entries === 0 && open.calls === 0 && open.rows === 0, `left behind: ${JSON.stringify(open)}`);
}

interface Sums {
  readonly id: string;
  readonly spent: number;
  readonly uncertain: number;
  readonly reserved: number;
}

const total = (charges: ReadonlyMap<string, number>): number =>
  [...charges.values()].reduce((sum, units) => sum + units, 0);

function expectBetween(what: string, charged: number, { spent, uncertain }: Pick<Sums, 'spent' | 'uncertain'>): void {
  check(
    spent <= charged && charged <= spent + uncertain,
    `${what}: charged ${charged}, spent ${spent}, uncertain ${uncertain}`,
  );
}

/** Expects the sums of batches, ledger and service to agree, by batch and by client. */
export async function expectMoney(siege: Siege, store: Store): Promise<readonly string[]> {
  const faults: string[] = [];
  const attempt = (expectation: () => void): void => {
    try {
      expectation();
    } catch (error) {
      if (!(error instanceof SiegeFault)) throw error;
      faults.push(error.message);
    }
  };
  const operations = await store.query<Sums & { readonly lasts: boolean }>(
    'SELECT id, spent, uncertain, reserved, key IS NOT NULL AS lasts FROM operations',
  );
  const ofBatches = await sumsBy(store, 'batch_id');
  const ofOperations = await sumsBy(store, 'operation_id');
  const ofClients = await sumsBy(store, 'client');
  const ofRequests = await sumsBy(store, 'client', 'batch_id IS NULL');
  const all = await sumsBy(store, `'all'`);
  for (const { id, people, mayRepeat } of siege.batches) {
    const charges = siege.charges(people);
    const sums = operations.find((operation) => operation.id === id);
    attempt(() => check(sums?.reserved === 0, `${id}: ${sums?.reserved} are reserved`));
    attempt(() => expectBetween(`batch ${id}`, total(charges), sums ?? { spent: 0, uncertain: 0 }));
    attempt(() => expectBetween(`ledger of ${id}`, total(charges), ofBatches.get(id) ?? { spent: 0, uncertain: 0 }));
    const twice = [...charges.values()].filter((units) => units > 1).length;
    attempt(() => check(mayRepeat || twice === 0, `${id}: ${twice} questions were paid twice`));
  }
  for (const { id, reserved, spent, uncertain } of operations.filter(({ lasts }) => lasts)) {
    const recorded = ofOperations.get(id) ?? { spent: 0, uncertain: 0 };
    attempt(() => check(reserved === 0, `operation ${id}: ${reserved} are reserved`));
    attempt(() =>
      check(
        spent === recorded.spent && uncertain >= recorded.uncertain,
        `operation ${id}: ${spent} and ${uncertain} beside ${recorded.spent} and ${recorded.uncertain} in the ledger`,
      ),
    );
  }
  for (const client of askers) {
    const people = siege.batches.filter(({ owner }) => owner === client).flatMap((batch) => batch.people);
    const charged = total(siege.charges([...people, ...siege.asked[client]]));
    attempt(() => expectBetween(`client ${client}`, charged, ofClients.get(client) ?? { spent: 0, uncertain: 0 }));
    const repeated = [...siege.charges(siege.asked[client])].filter(([, units]) => units > 1);
    const again = repeated.reduce((sum, [, units]) => sum + units - 1, 0);
    const lost = (ofRequests.get(client)?.uncertain ?? 0) + siege.forgotten + siege.reported;
    attempt(() =>
      check(again <= lost, `${client} was charged again for ${JSON.stringify(repeated)}, ${lost} uncertain`),
    );
  }
  const charged = siege.service.spent(OTHER_TOKEN);
  attempt(() => expectBetween('all entries', charged, all.get('all') ?? { spent: 0, uncertain: 0 }));
  return faults;
}

async function sumsBy(
  store: Store,
  name: string,
  condition = `${name} IS NOT NULL`,
): Promise<ReadonlyMap<string, Pick<Sums, 'spent' | 'uncertain'>>> {
  const rows = await store.query<{ readonly name: string; readonly spent: number; readonly uncertain: number }>(
    `SELECT ${name} AS name, sum(units)::integer AS spent,
      coalesce(sum(price) FILTER (WHERE billing = 'UNKNOWN'), 0)::integer AS uncertain
    FROM ledger_entries WHERE ${condition} GROUP BY 1`,
  );
  return new Map(rows.map(({ name, ...sums }) => [name, sums]));
}
