import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { readPage } from '../support/pages';
import { freePort } from '../support/processes/free-port';
import { startReceiver } from '../support/proxies/receiver';
import { BatchClient, CREDIT, NSS } from '../support/requests/batches';
import { scrapeMetrics } from '../support/requests/scrape-metrics';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { startForTests } from '../support/start-for-tests';
import { startPostgres } from '../support/stores/postgres';
import { buildImage, type Container, startContainer, waitUntilHealthy } from './build-image';
import { environmentOf, services } from './compose-file';
import { root } from './dockerfile';
import { alertRules, dashboardExpressions, metricNamesOf } from './metric-names';

/** The build of dist/, and the package with its dependencies, take most of this time. */
const patience = 400_000;
const random = (): string => randomBytes(32).toString('hex');

describe('the image, started as in deploy/compose.yaml', () => {
  const sandbox = sandboxForTests();
  const image = startForTests(
    async () => buildImage(),
    ({ remove }) => remove(),
    patience,
  );
  const postgres = startForTests(startPostgres, ({ remove }) => remove());
  const spans = startForTests(
    () => startReceiver(() => 200),
    ({ close }) => close(),
  );
  const containers: Record<string, Container> = {};
  const packageFile = (name: string): boolean => existsSync(join(image.workingFolder, 'node_modules', name));
  let startedAt = 0;

  beforeAll(async () => {
    const values = { REGISTRY_URL: sandbox.url, POSTGRES_PASSWORD: random(), DATA_KEYS: random() };
    const database = await postgres.createDatabase();
    startedAt = Date.now();
    for (const service of ['graph', 'worker']) {
      const settings = environmentOf(service, values);
      // The store of this test has another port.
      expect(settings.DATABASE_URL).toBe(`postgres://padron:${values.POSTGRES_PASSWORD}@127.0.0.1:5432/padron`);
      const addresses = {
        DATABASE_URL: database,
        PORT: String(await freePort()),
        OTEL_EXPORTER_OTLP_ENDPOINT: spans.url,
      };
      containers[service] = startContainer(image, { ...settings, ...addresses });
    }
    await Promise.all(Object.values(containers).map(waitUntilHealthy));
  }, patience);
  afterAll(async () => {
    for (const { child } of Object.values(containers)) child.kill('SIGKILL');
  });

  const containerOf = (service: string): Container => {
    const container = containers[service];
    if (container === undefined) throw new Error(`${service} is not started.`);
    return container;
  };

  const exportedMetrics = async (): Promise<readonly string[]> => {
    const scraped = await Promise.all(Object.values(containers).map(scrapeMetrics));
    const names = scraped.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
    return [...new Set(names)].sort();
  };

  it('contains production dependencies only', () => {
    expect(['fastify', 'pg', 'unpdf'].map(packageFile)).toEqual([true, true, true]);
    expect(['typescript', 'jest', 'esbuild', 'graphiql'].map(packageFile)).toEqual([false, false, false, false]);
  });

  it('is the packed package: it contains no settings, keys or tests', () => {
    expect(readdirSync(image.workingFolder).sort()).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'node_modules', 'package.json', 'schema'],
    ]);
  });

  it('runs a batch that one container accepts and the other one runs', async () => {
    const client = new BatchClient(containerOf('graph'), SANDBOX_TOKEN);
    const { id } = await client.ready(
      CREDIT,
      NSS.slice(0, 3).map((nss) => ({ nss })),
    );
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10)`);
    expect((await client.until(id, 'DONE')).progress).toMatchObject({ done: 3, spentUnits: 3 });
    const rows = await scrapeMetrics(containerOf('worker'));
    expect(rows.of('padron_batch_rows_total', { outcome: 'done' })).toBe(3);
    expect(sandbox.calls.filter(({ units }) => units > 0)).toHaveLength(3);
  });

  it('exports spans, because it contains the SDK', async () => {
    await spans.until(1);
    expect(spans.received[0]).toMatchObject({ path: '/v1/traces' });
  });

  it('exports every metric of the alert rules and of the dashboard', async () => {
    const exported = await exportedMetrics();
    const used = [...alertRules.map(({ expr }) => expr), ...dashboardExpressions].flatMap(metricNamesOf);
    expect(new Set(used).size).toBeGreaterThan(20);
    expect(used.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('exports the metrics that docs/metrics.md lists', async () => {
    const listed = [...readPage('docs/metrics.md').text.matchAll(/^\| `(padron_\w+)`/gm)].map(([, name]) => name);
    expect((await exportedMetrics()).filter((name) => name.startsWith('padron_'))).toEqual(listed.sort());
  });

  it('ends with 0 on SIGTERM, and has written no file', async () => {
    expect(await Promise.all(Object.values(containers).map(({ stop }) => stop()))).toEqual([0, 0]);
    expect(filesChangedSince(startedAt, image.files)).toEqual([]);
    expect(await containerOf('graph').isHealthy()).toBe(false);
  });
});

function filesChangedSince(time: number, folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => statSync(join(folder, path)).mtimeMs >= time);
}

it('is built from the root of the repository', () => {
  const { build } = services.graph ?? {};
  expect(build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' });
  expect(existsSync(join(root, 'deploy', build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
});
