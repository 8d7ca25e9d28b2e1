import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isCurp, isNss, isRegistration } from '../../src/extensions/sandbox/data/identifiers';
import { linkRoutes, makeRoutes } from '../../src/extensions/sandbox/http/routes';
import type { Route } from '../../src/extensions/sandbox/protocol/route';
import { readBalance } from '../../src/graph/core/pricing/endpoints';
import type { AnyEndpoint } from '../../src/registry/endpoint/endpoint';
import { buildGraph } from '../support/padrons/whole-padron';
import {
  type DocumentedEndpoint,
  openApi as document,
  documentedEndpoint,
  documentedEndpoints,
  documentedLinks,
} from '../support/registry-interface';
import { type Call, contract } from './contract';

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ endpoint: `${method.toUpperCase()} ${path}`, operation })),
);

/** Statuses of every endpoint that needs a token, and of those that take input. */
const COMMON_STATUSES = ['200', '401', '403', '429', '500', '503'];
const INPUT_STATUSES = ['400', '402', '422', '502'];

/** Properties that the interface calls optional. */
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
  it('is of the interface version 3.1.0', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '3.1.0']);
  });

  it('gives every endpoint a price, a permission or null, and a batch flag', () => {
    for (const { endpoint, operation } of operations) {
      const facts = { units: operation['x-units'], permission: operation['x-permission'], batch: operation['x-batch'] };
      expect([endpoint, facts.units, typeof facts.batch]).toEqual([endpoint, expect.any(Number), 'boolean']);
      if (facts.permission !== null)
        expect([endpoint, facts.permission]).toEqual([endpoint, expect.stringMatching(/^use_[a-z_]+$/)]);
    }
  });

  it('states every status that the interface names for all endpoints', () => {
    for (const { endpoint, operation } of operations.filter(({ operation }) => operation.security === undefined)) {
      const expected = operation['x-units'] === 0 ? COMMON_STATUSES : [...COMMON_STATUSES, ...INPUT_STATUSES];
      expect([endpoint, Object.keys(operation.responses)]).toEqual([endpoint, expect.arrayContaining(expected)]);
    }
  });

  it('requires a token everywhere except on a signed link, which is free', () => {
    const open = operations.filter(({ operation }) => operation.security !== undefined);
    expect(open.map(({ operation }) => operation.security)).toEqual(documentedLinks.map(() => []));
    expect(open.map(({ operation }) => operation['x-units'])).toEqual(documentedLinks.map(() => 0));
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

  it('has no unused schema except the estimate of a batch', () => {
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

const declared: readonly AnyEndpoint[] = [...buildGraph().catalogue.map(({ endpoint }) => endpoint), readBalance];
const routes = makeRoutes(documentedEndpoint('findIdentity').path, documentedEndpoint('readBalance').path);

/** Facts of an endpoint that padron states in its endpoint value. */
const factsOfPadron = ({ name, method, path, encoding, units, permission, batch, argumentPaths }: AnyEndpoint) => ({
  name,
  method,
  path,
  encoding,
  units,
  permission,
  batch,
  inputs: Object.keys(argumentPaths).sort(),
});

/** Facts of an endpoint that the sandbox states in its route. */
const factsOfSandbox = ({ method, path, inputFrom, units, permission, fields }: Route) => ({
  method,
  path,
  encoding: { query: 'query', nothing: 'query', json: 'json', form: 'multipart' }[inputFrom],
  units,
  permission: permission ?? null,
  requiredInputs: fields.filter(({ required }) => required).map(({ name }) => name),
});

const byPath = (left: { readonly path: string }, right: { readonly path: string }) =>
  left.path.localeCompare(right.path);

describe('the endpoints of src/graph', () => {
  it('have the name, path, input, price, permission and batch flag of the OpenAPI document, and none is missing', () => {
    const documented = documentedEndpoints.map(({ endpoint: _, requiredInputs: __, inputs, ...facts }) => ({
      ...facts,
      inputs: [...inputs].sort(),
    }));
    expect(declared.map(factsOfPadron).sort(byPath)).toEqual([...documented].sort(byPath));
  });
});

describe('the routes of the sandbox', () => {
  it('have the path, required input, price and permission of the OpenAPI document, and none is missing', () => {
    const facts = ({ method, path, encoding, units, permission, requiredInputs }: DocumentedEndpoint) => ({
      method,
      path,
      encoding,
      units,
      permission,
      requiredInputs,
    });
    expect(routes.map(factsOfSandbox).sort(byPath)).toEqual(documentedEndpoints.map(facts).sort(byPath));
  });

  it('serve every signed link of the OpenAPI document', () => {
    expect(linkRoutes.map(({ path }) => path).sort()).toEqual([...documentedLinks].sort());
  });
});

const { check } = contract();

const credit = {
  nss: '03957612348',
  estatus_credito: 'AC',
  situacioncredito: 'VIGENTE',
  num_credito: '1918123456',
  moneda: 'VSM',
  tipo_credito: 'Hipotecario',
  regimen: 'ROA',
  pool: '1',
  mesesomisos: '0',
  producto: 'HiTo',
  nombre: 'XÓCHITL',
  apPaterno: 'CASAS',
  apMaterno: 'CHÁVEZ',
  fechaOrigen: '20180215',
  fechaCierre: '',
  emailPersonal: '',
  telefonoCelular: '',
  rfc: 'CACX7605101P8',
  scurp: 'CACX760510MGTSHC04',
};
const head = { success: true, codigoValidacion: 'j4xxtbfGWXqk6saaSQrN', message: 'Exitoso', status: 200 };
const refusal = { ...head, success: false, status: 403 };

function call(parts: Partial<Call>): Call {
  return {
    method: 'POST',
    path: '/api/infonavit/grupo/buscar-credito?nss=3957612348',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { ...head, data: credit },
    ...parts,
  };
}

const creditWith = (fields: object): Call => call({ body: { ...head, data: { ...credit, ...fields } } });

function fileCall(parts: Partial<Call>): Call {
  const link =
    '/private/imss/comprobantes-fiscales/archivo/5b7e1d52-9c3a-4a1d-8f51-1b1a6e0c2d11/pdf?expires=1&signature=a';
  return {
    ...call({}),
    method: 'GET',
    path: link,
    contentType: 'application/pdf',
    body: Buffer.from('%PDF-1.3'),
    ...parts,
  };
}

const portal = (status: number, code: string): Partial<Call> => ({
  path: '/private/comprobantes-fiscales',
  status,
  body: { ok: false, error: { code, message: 'No.' } },
});

describe('the checker of the contract', () => {
  it.each<[string, Call, RegExp]>([
    ['a path that is not documented', call({ path: '/api/infonavit/grupo/otro' }), /no such operation/],
    ['a status that is not documented', call({ status: 418 }), /no such status/],
    ['a page of HTML', call({ contentType: 'text/html', body: '<html>' }), /no such content type: text\/html/],
    ['an unknown property', call({ body: { ...head, data: credit, debug: 1 } }), /additional properties.*debug/],
    ['a property left out', creditWith({ rfc: undefined }), /\/data\/rfc|required.*rfc/],
    ['a number where text is promised', creditWith({ nss: 1 }), /\/data\/nss must be string/],
    ['a date in the wrong format', creditWith({ fechaOrigen: '15/02/2018' }), /fechaOrigen must match/],
    [
      'a status in the body that is not the HTTP status',
      call({ status: 403, body: { ...refusal, status: 402 } }),
      /\/status is 402/,
    ],
    [
      'data in an empty 404 that is not empty',
      call({ status: 404, body: { ...refusal, status: 404, data: [1] } }),
      /\/data must NOT have more/,
    ],
    ['the envelope of /api on /private', call({ ...portal(403, 'x'), body: refusal }), /required.*ok/],
    ['a portal code that does not exist', call(portal(502, 'IMSS_NOTHING')), /\/error\/code must be equal/],
    ['bytes that are not a PDF', fileCall({ body: Buffer.from('<html>') }), /is not application\/pdf/],
  ])('catches %s', (_, answer, violation) => {
    const violations = check(answer);
    expect(violations.length).toBeGreaterThan(0);
    expect(violations.join('\n')).toMatch(violation);
  });

  it('names the method, the path without its query and the status', () => {
    expect(check(call({ status: 418 }))).toEqual([
      'POST /api/infonavit/grupo/buscar-credito 418: no such status for this operation',
    ]);
  });
});
