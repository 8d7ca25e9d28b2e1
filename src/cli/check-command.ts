import { parseArgs } from 'node:util';
import { UsageError } from './command-arguments';
import { formatTable } from './table';

export const checkUsage = `padron check [--json]

Checks the settings of padron and every system that they name: the registry service, REGISTRY_TOKEN, the store and
the keys of its data, DATA_DIR, the key set of JWT_JWKS_URL, and the clock. Run it with the environment of the server.
It spends no units, changes no data and prints no secrets.

  --json        prints JSON instead of a table: {"outcome", "checks": [{"name", "status", "message"}]}

Exit codes: 0 no check failed, 1 a check failed, 2 the settings or the arguments are invalid.
`;

const exitCodes = { passed: 0, failed: 1, invalid: 2 } as const;

export async function check(args: readonly string[]): Promise<{ readonly report: string; readonly code: number }> {
  const isJson = parse(args);
  // Loaded on demand: other commands do not need the modules of the server.
  const { runChecks } = await import('../server/check/run-checks.js');
  const report = await runChecks();
  const code = exitCodes[report.outcome];
  if (isJson) return { report: `${JSON.stringify(report, null, 2)}\n`, code };
  const rows = report.checks.map(({ name, status, message }) => [name, status, message]);
  return { report: formatTable({ headings: ['check', 'result', 'message'], rows }), code };
}

/** Returns whether the report is JSON. Throws a `UsageError` if the arguments are invalid. */
function parse(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean' } } }).values.json === true;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be parsed.');
  }
}
