import type { BatchRow, RowStore } from '../storage/row-store';
import { toCsvLine } from './csv-cells';
import { flattenRow } from './flatten';
import { readRows } from './row-chunks';

const maxPageRows = 1_000;
/** Maximum columns of the table. JSON lines have all fields. */
const maxColumns = 2_000;
const byteOrderMark = '\uFEFF';

/** Writes one line of JSON per row. */
export async function* writeJsonl(rows: RowStore): AsyncGenerator<string> {
  for await (const page of pages(rows)) yield page.map((row) => `${JSON.stringify(toJson(row))}\n`).join('');
}

/** Writes a table. Reads the rows twice: first to find all columns, then to write the lines. */
export async function* writeCsv(rows: RowStore): AsyncGenerator<string> {
  const columns = new Set<string>();
  for await (const page of pages(rows))
    for (const row of page) for (const name of flattenRow(row).keys()) if (columns.size < maxColumns) columns.add(name);
  const names = [...columns];
  yield byteOrderMark + toCsvLine(names);
  for await (const page of pages(rows)) {
    const lines = page.map((row) => {
      const cells = flattenRow(row);
      return toCsvLine(names.map((name) => cells.get(name) ?? null));
    });
    yield lines.join('');
  }
}

async function* pages(rows: RowStore): AsyncGenerator<readonly BatchRow[]> {
  for (let after = 0; ; ) {
    const sizes = await rows.sizes('ACCEPTED', after, maxPageRows);
    yield* readRows(rows, sizes);
    after = sizes.at(-1)?.number ?? after;
    if (sizes.length < maxPageRows) return;
  }
}

function toJson({ ref, number, state, attempts, units, uncertain, result }: BatchRow) {
  const { problems = [], lookups = [], errors = [], data = null } = result ?? {};
  const listed = problems.map(({ code, message, path }) => ({ code, message, path }));
  return {
    ref,
    row: number,
    state,
    attempts,
    units,
    uncertainUnits: uncertain,
    problems: listed,
    lookups,
    errors,
    data,
  };
}
