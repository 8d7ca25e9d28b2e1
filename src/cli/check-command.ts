import type { Extension } from '../server/extension';
import { type CommandEnvironment, exitCodes, flag, parseOptions, type Report } from '../terminal/command';
import { formatTable } from '../terminal/table';

export const checkUsage = `padron check [--json]

Checks the settings of padron and every system that they name: the registry service, REGISTRY_TOKEN, the store and
the keys of its data, DATA_DIR, the key set of JWT_JWKS_URL, and the clock. Run it with the environment of the server.
It spends no units, changes no data and prints no secrets.

  --json        prints JSON instead of a table: {"outcome", "checks": [{"name", "status", "message"}]}

Exit codes: 0 no check failed, 1 a check failed, 2 the settings or the arguments are invalid.
`;

const codes = { passed: exitCodes.done, failed: exitCodes.checkFailed, invalid: exitCodes.invalidArguments } as const;

export async function check(
  args: readonly string[],
  environment: CommandEnvironment,
  extensions: readonly Extension[],
): Promise<Report> {
  const isJson = parseOptions(args, { json: flag }).values.json === true;
  // Loaded on demand: other commands do not need the modules of the server.
  const { runChecks } = await import('../server/check/run-checks.js');
  const report = await runChecks(environment, extensions);
  const code = codes[report.outcome];
  if (isJson) return { text: `${JSON.stringify(report, null, 2)}\n`, isData: true, code };
  const rows = report.checks.map(({ name, status, message }) => [name, status, message]);
  return { text: formatTable({ headings: ['check', 'result', 'message'], rows }), isData: false, code };
}
