import { settingsOfBatches } from '../../src/extensions/batch/settings';
import { findOrThrow } from '../support/find-or-throw';
import { readConfig } from '../support/padrons/whole-padron';
import { withPadron } from '../support/padrons/with-padron';
import { readSettingsFile } from './compose-file';
import { readStages } from './dockerfile';
import { type Manifest, readManifests } from './manifests';

const manifests = readManifests();
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
};
const containerOf = ({ spec }: Manifest) => findOrThrow(spec.template.spec.containers, () => true);

describe('the manifests of Kubernetes', () => {
  it('are two deployments, their disruption budgets, a service and the settings', () => {
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ConfigMap padron',
      'Deployment padron-graph',
      'Deployment padron-worker',
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

  it('name labels that the pods have', () => {
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels);
    const selectors = [
      ...[...deployments, ...ofKind('PodDisruptionBudget')].map(({ spec }) => spec.selector.matchLabels),
      ...ofKind('Service').map(({ spec }) => spec.selector),
    ];
    const matching = selectors.map(
      (selector) => pods.filter((pod) => Object.entries(selector).every(([key, value]) => pod[key] === value)).length,
    );
    expect(matching).toEqual([1, 1, 1, 1, 1]);
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

  it.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
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
