import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { type PostgresCluster, startPostgres } from '../../support/stores/postgres';
import { type Peer, type Server, startProgram, startServer } from '../rig/processes';
import type { Rig } from '../rig/rig';
import { padron } from '../systems';

const clockTicksPerSecond = 100;

/** padrons over one database of a separate PostgreSQL, and a load generator. */
export class Site {
  private constructor(
    readonly servers: readonly Server[],
    readonly url: string,
    readonly load: Peer,
    private readonly cluster: PostgresCluster,
    private readonly client: Client,
  ) {}

  /** Starts the padrons with `REGISTRY_CONCURRENCY` as it is by default. */
  static async start(rig: Rig, build: string, count: number, settings: Readonly<Record<string, string>> = {}) {
    const cluster = await startPostgres();
    const url = await cluster.createDatabase();
    const DATA_KEYS = '0123456789abcdef'.repeat(3);
    const all = { DATABASE_URL: url, DATA_KEYS, REGISTRY_CONCURRENCY: '64', REPLAY_SECONDS: '30', ...settings };
    const launch = padron('padron', build, all).launch(rig.registryUrl);
    const servers: Server[] = [];
    const flags = ['--max-old-space-size=256'];
    for (let index = 0; index < count; index += 1) servers.push(await startServer({ ...launch, flags }));
    const client = new Client({ connectionString: url });
    await client.connect();
    return new Site(servers, url, startProgram('account-load'), cluster, client);
  }

  async query<Row extends object>(sql: string): Promise<readonly Row[]> {
    return (await this.client.query<Row>(sql)).rows;
  }

  /** Milliseconds of CPU of the padrons together, and of the processes of PostgreSQL that run. */
  async cpuMs(): Promise<{ readonly padron: number; readonly postgres: number }> {
    const usages = await Promise.all(this.servers.map((server) => server.usage()));
    const processes = await this.query<{ readonly pid: number }>('SELECT pid FROM pg_stat_activity');
    return {
      padron: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      postgres: processes.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    };
  }

  /** Bytes of a table with its indexes, or of the database. */
  async bytes(table: string | null = null): Promise<number> {
    const size = table === null ? 'pg_database_size(current_database())' : `pg_total_relation_size('${table}')`;
    const [row] = await this.query<{ readonly bytes: string }>(`SELECT ${size} AS bytes`);
    return Number(row?.bytes);
  }

  async end(): Promise<void> {
    await Promise.all([...this.servers, this.load].map((each) => each.end()));
    await this.client.end();
    await this.cluster.remove();
  }
}

/** Reads user and system time. The name of the process, in parentheses, may contain spaces. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond;
}
