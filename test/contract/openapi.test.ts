import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isCurp, isNss, isRegistration } from '../../src/extensions/sandbox/data/identifiers';
import { openApi as document, documentedLinks } from '../support/registry-interface';

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
