import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { settingsOfBatches } from '../../src/extensions/batch/settings';
import { findOrThrow } from '../support/find-or-throw';
import { readConfig } from '../support/padrons/whole-padron';
import { withPadron } from '../support/padrons/with-padron';
import { isInstalled } from '../support/processes/is-installed';
import { startProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { engineRig } from '../support/stores/engines';
import { environmentOf, exampleSettings, readSettingsFile, services, volumes } from './compose-file';
import { readStages, root } from './dockerfile';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

type Labels = Readonly<Record<string, string>>;

/** A Kubernetes manifest. Properties of other kinds of manifests are missing. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  readonly data: Labels;
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly PodContainer[];
  readonly volumes: readonly { readonly name: string }[];
}

interface PodContainer {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly Readonly<Record<'configMapRef' | 'secretRef', { readonly name: string } | undefined>>[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly command: readonly string[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

/** Reads the manifests that the kustomization lists. */
function readManifests(): readonly Manifest[] {
  const { resources } = readDocuments('kustomization.yaml')[0] as { readonly resources: readonly string[] };
  return resources.flatMap(readDocuments) as Manifest[];
}

function readDocuments(file: string): readonly unknown[] {
  const documents = parseAllDocuments(readFileSync(join(root, 'deploy/kubernetes', file), 'utf8'));
  return documents.map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS();
  });
}

const unitFile = join(root, 'deploy/systemd/padron.service');
const unitLines = readFileSync(unitFile, 'utf8').split('\n');
const valuesOf = (key: string): readonly string[] =>
  unitLines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));

/** Variables that Node and the image of PostgreSQL read. */
const foreign = ['NODE_OPTIONS', 'POSTGRES_PASSWORD'];

/** Returns the names of all variables that padron reads at its start. */
function readSettingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

/** Returns the variables that a file in deploy/ sets for padron. */
function namesByFile(): Readonly<Record<string, readonly string[]>> {
  const environment = readStages('deploy/Dockerfile').flatMap(({ instructions }) =>
    instructions.filter(({ keyword }) => keyword === 'ENV').map(({ text }) => text),
  );
  const manifests = readManifests();
  const containers = manifests.flatMap((manifest) => manifest.spec?.template?.spec.containers ?? []);
  return {
    Dockerfile: environment.map(nameOf),
    'compose.yaml': ['graph', 'worker'].flatMap((service) => Object.keys(services[service]?.environment ?? {})),
    'compose.example.env': Object.keys(exampleSettings),
    'kubernetes/settings.yaml': manifests.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? Object.keys(data) : [])),
    'kubernetes/secrets.example.env': Object.keys(readSettingsFile('deploy/kubernetes/secrets.example.env')),
    'kubernetes/graph.yaml, worker.yaml, migrate.yaml': containers.flatMap(({ env }) => env.map(({ name }) => name)),
    'systemd/padron.service': valuesOf('Environment').map(nameOf),
  };
}

const nameOf = (assignment: string): string => assignment.split('=')[0] ?? '';

describe('the variables in deploy/', () => {
  const settings = readSettingNames();

  it.each(Object.entries(namesByFile()))('are settings of padron: %s', (_, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !settings.has(name) && !foreign.includes(name))).toEqual([]);
  });

  it('are what the settings of padron are compared with', () => {
    expect([settings.has('REGISTRY_URL'), settings.has('REGISTRY_URI')]).toEqual([true, false]);
  });
});

describe('the time that padron has to stop, and that an ingress waits', () => {
  const seconds = (2 * readConfig({}).registryTimeoutMs + 10_000) / 1_000;

  it.each([
    ['deploy/compose.yaml', /stop_grace_period: (\d+)s/g, 1],
    ['deploy/kubernetes/graph.yaml', /terminationGracePeriodSeconds: (\d+)/g, 1],
    ['deploy/kubernetes/worker.yaml', /terminationGracePeriodSeconds: (\d+)/g, 1],
    ['deploy/kubernetes/ingress.yaml', /proxy-(?:read|send)-timeout: "(\d+)"/g, 2],
    ['deploy/systemd/padron.service', /TimeoutStopSec=(\d+)/g, 1],
  ])('is enough for the turn and the answer of a call: %s', (file, pattern, count) => {
    const times = [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, time]) => Number(time));
    expect(times).toHaveLength(count);
    expect(times.filter((time) => time <= seconds)).toEqual([]);
  });
});

describe('deploy/compose.yaml', () => {
  it('needs no setting but the secrets to start with invented people', () => {
    const secret = '0123456789abcdef0123456789abcdef';
    const values = { SANDBOX: 'embedded', POSTGRES_PASSWORD: secret, DATA_KEYS: secret };
    for (const role of ['graph', 'worker']) {
      const config = readConfig({ NODE_ENV: 'production', HOST: '0.0.0.0', ...environmentOf(role, values) });
      expect([settingsOfBatches(config).role, config.extensions.sandbox]).toEqual([
        role,
        expect.objectContaining({ mode: 'embedded' }),
      ]);
    }
  });

  it('keeps all services in one network, whose ports are for this machine only', () => {
    const { network, ...others } = services;
    expect(network?.ports).toEqual(['127.0.0.1:4000:4000', '127.0.0.1:4001:4001']);
    for (const service of Object.values(others))
      expect([service.network_mode, service.ports]).toEqual(['service:network', undefined]);
  });

  it('gives each padron its own port, a read-only file system, and no volume', () => {
    const padrons = Object.values(services).filter(({ environment }) => environment?.ROLE !== undefined);
    expect(padrons.map((service) => service.read_only)).toEqual([true, true]);
    expect(padrons.map(({ environment }) => environment?.PORT)).toEqual([4000, 4001]);
    expect(padrons.map(({ volumes }) => volumes)).toEqual([undefined, undefined]);
    expect(volumes).toEqual(['postgres-data']);
  });

  it('deploys a version of PostgreSQL that the tests run', () => {
    const tested = /tests run on PostgreSQL (\d+)/.exec(readFileSync(join(root, 'docs/ledger.md'), 'utf8'))?.[1];
    expect(services.postgres?.image).toBe(`postgres:${tested}`);
  });
});

describe('deploy/systemd/padron.service', () => {
  const withSystemd = isInstalled('systemd-analyze') ? it : it.skip;

  it('starts the program of the image, in the installed package', () => {
    const command = readStages('deploy/Dockerfile')
      .at(-1)
      ?.instructions.find(({ keyword }) => keyword === 'CMD');
    const [program, file] = JSON.parse(command?.text ?? '[]') as readonly string[];
    expect(valuesOf('ExecStart')).toEqual([`/usr/bin/${program} node_modules/padron/${file}`]);
  });

  withSystemd('is a valid unit', () => {
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', unitFile], { encoding: 'utf8' });
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('padron.service'));
    // Node may have another path here.
    expect(complaints.filter((line) => !line.includes('/usr/bin/node is not executable'))).toEqual([]);
  });
});

const manifests = readManifests();
const withSchemas = isInstalled('kubernetes-validate') ? it : it.skip;
const ofKind = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment');
const instructions = readStages('deploy/Dockerfile').at(-1)?.instructions ?? [];
const imageSettings = Object.fromEntries(
  instructions.filter(({ keyword }) => keyword === 'ENV').map(({ text }) => text.split(/=(.*)/s)),
);
const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://padron:password@postgres.example:5432/padron?sslmode=verify-full',
  DATA_KEYS: '0123456789abcdef0123456789abcdef',
  REGISTRY_TOKEN: 'token',
  SUBGRAPH_SECRET: '',
  JWT_SECRET: '',
  PROOF_KEY: '',
  WEBHOOK_URL: '',
  WEBHOOK_SECRET: '',
};
const jobs = ofKind('Job');
const containerOf = ({ spec }: Manifest) => findOrThrow(spec.template.spec.containers, () => true);

describe('the manifests of Kubernetes', () => {
  const rig = engineRig('postgres');

  it('are two deployments, their disruption budgets and network policies, a job, a service and the settings', () => {
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ConfigMap padron',
      'Deployment padron-graph',
      'Deployment padron-worker',
      'Job padron-migrate',
      'NetworkPolicy padron-graph',
      'NetworkPolicy padron-worker',
      'PodDisruptionBudget padron-graph',
      'PodDisruptionBudget padron-worker',
      'Service padron',
    ]);
  });

  it.each(['graph', 'worker'])('give settings to the %s with which padron starts', (role) => {
    const deployment = findOrThrow(deployments, ({ metadata }) => metadata.name === `padron-${role}`);
    const { env, envFrom } = containerOf(deployment);
    expect(envFrom).toEqual([{ configMapRef: { name: 'padron' } }, { secretRef: { name: 'padron' } }]);
    expect(Object.keys(readSettingsFile('deploy/kubernetes/secrets.example.env')).sort()).toEqual(
      Object.keys(secrets).sort(),
    );
    const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const config = readConfig({ ...imageSettings, ...ofKind('ConfigMap')[0]?.data, ...secrets, ...own });
    expect([settingsOfBatches(config).role, config.data.store?.kind]).toEqual([role, 'postgres']);
  });

  it('have a job that migrates the store with one secret, and pods that are ready when it is done', async () => {
    const { environment } = await rig.emptySettings();
    const { command, env } = containerOf(findOrThrow(jobs, () => true));
    const secretOf = (name: string): string | undefined => ({ ...secrets, ...environment })[name];
    const own = env.map(({ name, value, valueFrom }) => [name, value ?? secretOf(valueFrom?.secretKeyRef.key ?? '')]);
    expect(own).toEqual([
      ['DATABASE_URL', environment.DATABASE_URL],
      ['DATA_DIR', ''],
    ]);
    const pods = { ...imageSettings, ...ofKind('ConfigMap')[0]?.data, ...secrets, ...environment };
    const pod = startProcess({ ...pods, HOST: '127.0.0.1', PORT: '0', ROLE: 'graph' });
    const readiness = new URL('/health/ready', await pod.address());
    const said = await pod.says('The store is at version 0');
    expect([(await fetch(readiness)).status, said]).toEqual([503, expect.stringContaining('Run `padron migrate`')]);
    const [program = '', ...args] = command;
    const job = { cwd: root, env: { PATH: process.env.PATH, ...imageSettings, ...Object.fromEntries(own) } };
    const { stdout } = await promisify(execFile)(program, args, job);
    expect(stdout).toContain('Applied: ledger-tables');
    await waitUntil(async () => (await fetch(readiness)).status === 200);
    expect(await pod.stop()).toBe(0);
  });

  it('name labels that the pods have', () => {
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels);
    const selectors = [
      ...[...deployments, ...ofKind('PodDisruptionBudget')].map(({ spec }) => spec.selector.matchLabels),
      ...ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
      ...ofKind('Service').map(({ spec }) => spec.selector),
    ];
    const matching = selectors.map(
      (selector) => pods.filter((pod) => Object.entries(selector).every(([key, value]) => pod[key] === value)).length,
    );
    expect(matching).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('publish the graph and files of batches alone, in full size', () => {
    const text = readFileSync(join(root, 'deploy/kubernetes/ingress.yaml'), 'utf8');
    expect([...text.matchAll(/path: (\S+),/g)].map(([, path]) => path)).toEqual(['/graphql', '/batches']);
    expect(Number(/body-size: (\d+)m/.exec(text)?.[1]) * 2 ** 20).toBeGreaterThanOrEqual(200_000_000);
  });

  // The Python package kubernetes-validate has the schemas that Kubernetes publishes.
  withSchemas('fit the schemas of Kubernetes', () => {
    const folder = join(root, 'deploy/kubernetes');
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
    const { status, stdout, stderr } = spawnSync('kubernetes-validate', ['--strict', ...files], { cwd: folder });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('networkpolicy/padron-graph')]);
  });

  it('send probes to paths that answer, and requests to the port of the image', async () => {
    const probes = deployments.map(containerOf).flatMap((container) => {
      const { startupProbe, livenessProbe, readinessProbe } = container;
      expect(container.ports).toEqual([{ name: 'http', containerPort: Number(imageSettings.PORT) }]);
      return [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
    });
    expect(new Set(probes.map(({ port }) => port))).toEqual(new Set(['http']));
    expect(ofKind('Service')[0]?.spec.ports[0]?.targetPort).toBe('http');
    await withPadron({}, async ({ url }) => {
      for (const path of new Set(probes.map((probe) => probe.path)))
        expect((await fetch(new URL(path, url))).status).toBe(200);
    });
    expect(new Set(probes.map(({ path }) => path)).size).toBe(2);
  });

  it.each([...deployments, ...jobs].map((deployment) => [deployment.metadata.name, deployment] as const))(
    'run %s as the user of the image, with a read-only file system and no volume',
    (_, deployment) => {
      const { securityContext, volumes } = deployment.spec.template.spec;
      const user = findOrThrow(instructions, ({ keyword }) => keyword === 'USER').text;
      expect([securityContext.runAsNonRoot, `${securityContext.runAsUser}:1000`]).toEqual([true, user]);
      const { volumeMounts, securityContext: ofContainer } = containerOf(deployment);
      expect(ofContainer).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect([volumeMounts, volumes]).toEqual([undefined, undefined]);
    },
  );
});
