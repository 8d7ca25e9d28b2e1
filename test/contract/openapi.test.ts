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
import { type Call, check } from './contract';

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
    const schemas = Object.values(document.components.schemas);
    for (const node of [...operations.map(({ operation }) => operation as unknown as Node), ...schemas])
      expect(node.description).toMatch(/\.$/);
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
  ...{ name, method, path, encoding, units, permission, batch },
  inputs: Object.keys(argumentPaths).sort(),
});

/** Facts of an endpoint that the sandbox states in its route. */
const factsOfSandbox = ({ method, path, inputFrom, units, permission, fields }: Route) => ({
  ...{ method, path, units, permission: permission ?? null },
  encoding: { query: 'query', nothing: 'query', json: 'json', form: 'multipart' }[inputFrom],
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
      ...{ method, path, encoding, units, permission, requiredInputs },
    });
    expect(routes.map(factsOfSandbox).sort(byPath)).toEqual(documentedEndpoints.map(facts).sort(byPath));
  });

  it('serve every signed link of the OpenAPI document', () => {
    expect(linkRoutes.map(({ path }) => path).sort()).toEqual([...documentedLinks].sort());
  });
});

/** An answer without a record, with which the document agrees. */
const envelope = { success: false, codigoValidacion: 'j4xxtbfGWXqk6saaSQrN', message: 'No.', status: 404, data: [] };
const call = (parts: Partial<Call>): Call => ({
  ...{ method: 'POST', path: '/api/infonavit/grupo/buscar-credito?nss=3957612348', status: 404 },
  ...{ contentType: 'application/json; charset=utf-8', body: envelope, ...parts },
});
const file =
  '/private/imss/comprobantes-fiscales/archivo/5b7e1d52-9c3a-4a1d-8f51-1b1a6e0c2d11/pdf?expires=1&signature=a';
const fileCall = { method: 'GET', path: file, status: 200, contentType: 'application/pdf' };

describe('the checker of the contract', () => {
  it('accepts an answer of the document', () => {
    expect(check(call({}))).toEqual([]);
    expect(check(call({ ...fileCall, body: Buffer.from('%PDF-1.3') }))).toEqual([]);
  });

  it.each<[string, Call, RegExp]>([
    ['a path that is not documented', call({ path: '/api/infonavit/grupo/otro' }), /no such operation/],
    ['a status that is not documented', call({ status: 418 }), /no such status/],
    ['a page of HTML', call({ contentType: 'text/html', body: '<html>' }), /no such content type: text\/html/],
    ['an unknown property', call({ body: { ...envelope, debug: 1 } }), /additional properties.*debug/],
    ['another status in the body', call({ body: { ...envelope, status: 402 } }), /\/status is 402/],
    ['bytes that are not a PDF', call({ ...fileCall, body: Buffer.from('<html>') }), /is not application\/pdf/],
  ])('catches %s', (_, answer, violation) => {
    expect(check(answer).join('\n')).toMatch(violation);
  });

  it('names the method, the path without its query and the status', () => {
    expect(check(call({ status: 418 }))).toEqual([
      'POST /api/infonavit/grupo/buscar-credito 418: no such status for this operation',
    ]);
  });
});
