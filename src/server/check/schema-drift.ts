import { EmbeddedEngine } from '../../store/embedded/embedded-engine';
import { forgetFunctionsSql, migrate } from '../../store/migrate';
import type { Engine, Migration } from '../../store/store';

interface SchemaObject {
  readonly kind: 'function' | 'trigger' | 'index';
  readonly name: string;
  /** Table of a trigger or an index. */
  readonly relation: string | null;
  readonly definition: string;
  readonly is_valid: boolean;
}

/** The names have no schema, because an operator may choose one. */
const objectsSql = `
  SELECT 'function' AS kind, p.oid::regprocedure::text AS name, NULL::text AS relation, true AS is_valid,
    regexp_replace(pg_get_functiondef(p.oid), '^(CREATE OR REPLACE [A-Z]+ )[^(]*\\.', '\\1') AS definition
  FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
  UNION ALL
  SELECT 'trigger', t.tgname, c.relname, true, pg_get_triggerdef(t.oid, true) || CASE t.tgenabled WHEN 'O' THEN '' ELSE ' ' || t.tgenabled::text END
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
  UNION ALL
  SELECT 'index', c.relname, r.relname, i.indisvalid, pg_get_indexdef(i.indexrelid, 0, true)
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class r ON r.oid = i.indrelid
  WHERE c.relnamespace = current_schema()::regnamespace`;

const applyAgain = `Run ${forgetFunctionsSql}, and then \`padron migrate\`: it applies its functions and triggers again.`;

/**
 * Compares the functions, triggers and indexes of a store with those of this version. Returns a sentence for each difference, with what to do.
 * What is expected comes from an embedded store in memory that the same migrations have made. This needs no right in the database, and
 * finds a change whenever it was made. Other objects and further indexes belong to the operator.
 */
export async function findDrift(
  store: Pick<Engine, 'query'>,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const [expected, found] = await Promise.all([readExpected(migrations), readObjects(store)]);
  const byName = new Map(found.map((object) => [keyOf(object), object]));
  const differences = expected.flatMap((object) => explainDifference(object, byName.get(keyOf(object))) ?? []);
  const tables = new Set(expected.map(({ relation }) => relation));
  const invalid = found.filter(({ relation, is_valid: isValid }) => !isValid && tables.has(relation));
  return [
    ...differences,
    ...invalid.map(({ name }) => `The index ${name} is invalid, so no query uses it. Run REINDEX INDEX ${name}.`),
  ];
}

async function readExpected(migrations: readonly Migration[]): Promise<readonly SchemaObject[]> {
  const engine = new EmbeddedEngine(null);
  try {
    await engine.connect();
    await engine.withSession((session) => migrate(session, migrations));
    return await readObjects(engine);
  } finally {
    await engine.close();
  }
}

const readObjects = async (engine: Pick<Engine, 'query'>): Promise<readonly SchemaObject[]> =>
  (await engine.query(objectsSql, [])) as readonly SchemaObject[];

const keyOf = ({ kind, name, relation }: SchemaObject): string => `${kind} ${relation ?? ''} ${name}`;

function explainDifference(expected: SchemaObject, found: SchemaObject | undefined): string | null {
  if (found?.definition === expected.definition) return null;
  const { kind, name, relation, definition } = expected;
  const place = kind === 'trigger' ? ` of the table ${relation}` : '';
  const state = found === undefined ? 'is missing' : 'is not that of this version';
  if (kind !== 'index') return `The ${kind} ${name}${place} ${state}. ${applyAgain}`;
  return `The index ${name} ${state}. Run ${found === undefined ? '' : `DROP INDEX ${name}; `}${definition}.`;
}
