import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from './dockerfile';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

type Labels = Readonly<Record<string, string>>;

/** A Kubernetes manifest. Properties of other kinds of manifests are missing. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  readonly data: Labels;
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels: Labels };
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
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

/** Reads the manifests that the kustomization lists. */
export function readManifests(): readonly Manifest[] {
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
