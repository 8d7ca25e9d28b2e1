import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isCurp, isNss, isRegistration } from '../../src/sandbox/data/identifiers';
import { OPENAPI_FILE, readOpenApi } from './contract';

const document = readOpenApi();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ endpoint: `${method.toUpperCase()} ${path}`, operation })),
);

const COMMON = '200 400 401 402 403 422 429 500 502 503';

/** Transcribed from the interface: units, permission, batch and statuses. */
const ENDPOINTS: Readonly<
  Record<string, readonly [units: number, permission: string | null, batch: boolean, statuses: string]>
> = {
  'GET /api/balance': [0, null, false, '200 401 429 500'],
  'POST /api/renapo/grupo/valida-curp': [1, null, false, `${COMMON} 404`],
  'POST /api/infonavit/grupo/buscar-credito': [1, 'use_buscar_credito', true, `${COMMON} 404`],
  'POST /api/infonavit/grupo/obtener-cuenta': [1, 'use_obtener_cuenta', false, `${COMMON} 404`],
  'POST /api/sep/grupo/validar-cedula': [1, 'use_validar_cedula', false, `${COMMON} 404`],
  'POST /api/sep/grupo/obtener-cedula': [1, 'use_buscar_cedula', true, `${COMMON} 404`],
  'POST /api/sep/grupo/validar-certificado': [1, 'use_validar_certificado', true, `${COMMON} 404`],
  'POST /api/sep/grupo/descargar-constancia-profesional': [
    2,
    'use_descargar_constancia_profesional',
    false,
    `${COMMON} 404`,
  ],
  'POST /api/sat/grupo/verificar-firma-electronica': [1, 'use_sat_verificar_firma_electronica', true, COMMON],
  'POST /private/comprobantes-fiscales': [1, null, false, COMMON],
  'POST /private/comprobantes-fiscales/descargar': [1, null, false, COMMON],
  'GET /private/imss/comprobantes-fiscales/archivo/{token}/{tipo}': [0, null, false, '200 400 410'],
  'GET /archivos/constancia-profesional/{token}': [0, null, false, '200 410'],
  'POST /private/32d-imss': [1, null, false, COMMON],
  'GET /private/rps/snapshots': [1, null, false, COMMON],
  'POST /private/sujeto-obligado': [1, null, false, COMMON],
};
/** Signed links: open to whoever holds them. The path of the second is not in the interface. */
const LINKS = [
  'GET /private/imss/comprobantes-fiscales/archivo/{token}/{tipo}',
  'GET /archivos/constancia-profesional/{token}',
];

/** Optional by the interface's own words. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  ProofDocument: ['claveEntidadRegistro', 'foja', 'libro'],
  ReceiptDownloadRequest: ['importe', 'include_content'],
  OpinionRequest: ['curp', 'tipo'],
};

type Node = Readonly<Record<string, unknown>>;

function* nodes(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const child of Object.values(value)) yield* nodes(child);
}

describe('the OpenAPI document of the service', () => {
  it('lints without an error or a warning', () => {
    const cli = join(__dirname, '../../node_modules/@redocly/cli/bin/cli.js');
    const { stdout, stderr } = spawnSync(process.execPath, [cli, 'lint', OPENAPI_FILE, '--format=json'], {
      cwd: join(__dirname, '../..'),
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    expect({ stderr, ...JSON.parse(stdout) }).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });

  it('is of the interface version 3.1.0', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '3.1.0']);
  });

  it('has every endpoint of the interface, with its price, permission and batch flag, and no other', () => {
    const documented = operations.map(({ endpoint, operation }) => [
      endpoint,
      [operation['x-units'], operation['x-permission'], operation['x-batch']],
    ]);
    const wanted = Object.entries(ENDPOINTS).map(([endpoint, row]) => [endpoint, row.slice(0, 3)]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(wanted));
  });

  it('states every status that the interface names', () => {
    for (const { endpoint, operation } of operations) {
      const own = ENDPOINTS[endpoint]?.[3].split(' ').filter(Boolean) ?? [];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(own));
    }
  });

  it('asks for the token everywhere but on the signed link', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ endpoint }) => endpoint)).toEqual(LINKS);
    expect(operations.filter(({ operation }) => operation.security !== undefined)).toHaveLength(LINKS.length);
  });

  it('closes every object and requires every property that the interface does not call optional', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const node of nodes(schema)) {
        if (node.type !== 'object' || typeof node.additionalProperties === 'object') continue;
        const properties = Object.keys(node.properties as Node);
        const required = properties.filter((property) => !OPTIONAL[name]?.includes(property));
        expect([name, node.additionalProperties, node.required]).toEqual([name, false, required]);
      }
    }
  });

  it('holds no schema that nothing refers to, but the estimate of a batch', () => {
    const referred = new Set([...nodes(document)].map(({ $ref }) => $ref));
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !referred.has(`#/components/schemas/${name}`),
    );
    expect(unused).toEqual(['EstimateResult']);
  });

  it('describes every operation and every schema', () => {
    for (const node of [
      ...operations.map(({ operation }) => operation as unknown as Node),
      ...Object.values(document.components.schemas),
    ]) {
      expect(node.description).toMatch(/\.$/);
    }
  });

  it('gives examples that its own schemas allow', () => {
    const ajv = addFormats(new Ajv2020({ allowUnionTypes: true }));
    const examples = [...nodes(document)].filter(({ type, examples }) => type !== undefined && Array.isArray(examples));
    expect(examples.length).toBeGreaterThan(30);
    for (const schema of examples) {
      for (const example of schema.examples as readonly unknown[]) {
        expect([example, ajv.validate(schema, example), ajv.errors]).toEqual([example, true, null]);
      }
    }
  });

  it('gives identifiers whose check digits are right', () => {
    const example = (name: string) => String([document.components.schemas[name]?.examples].flat()[0]);
    expect(isCurp(example('Curp'))).toBe(true);
    expect(isRegistration(example('EmployerRegistration'))).toBe(true);
    expect(isNss(example('SocialSecurityNumberAsInteger').padStart(11, '0'))).toBe(true);
    const exampleTexts = [...nodes(document)]
      .flatMap(({ examples }) => (Array.isArray(examples) ? examples : []))
      .map(String);
    for (const nss of exampleTexts.filter((text) => /^\d{11}$/.test(text))) expect(isNss(nss)).toBe(true);
  });
});
