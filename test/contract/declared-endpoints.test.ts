import { linkRoutes, makeRoutes } from '../../src/extensions/sandbox/http/routes';
import type { Route } from '../../src/extensions/sandbox/protocol/route';
import { readBalance } from '../../src/graph/core/pricing/endpoints';
import type { AnyEndpoint } from '../../src/registry/endpoint/endpoint';
import { buildGraph } from '../support/padrons/whole-padron';
import {
  type DocumentedEndpoint,
  documentedEndpoint,
  documentedEndpoints,
  documentedLinks,
} from '../support/registry-interface';

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
