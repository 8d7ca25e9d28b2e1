import { credentialOf, signatureForm, TODAY } from '../support/keys/signatures';
import { postForm } from '../support/requests/multipart';
import { startApolloGateway } from './gateways/apollo-gateway';
import type { Gateway } from './gateways/gateway';
import { type Subgraphs, startSubgraphs } from './subgraphs';

describe('@apollo/gateway', () => {
  let subgraphs: Subgraphs;
  let gateway: Gateway;
  beforeAll(async () => {
    subgraphs = await startSubgraphs({}, () => TODAY);
    gateway = await startApolloGateway(subgraphs.supergraph);
  });
  afterAll(async () => {
    await gateway?.stop();
    await subgraphs?.stop();
  });

  it('does not forward multipart: a signature is sent as base64', async () => {
    subgraphs.between.reset();
    const { status, data } = await postForm(gateway.url, signatureForm(credentialOf('person')));
    expect(status).toBe(400);
    expect(data).toBeUndefined();
    expect(subgraphs.between.requests).toEqual([]);
  });
});

describe('@apollo/gateway with SCHEMA_SCOPES=true', () => {
  let subgraphs: Subgraphs;
  beforeAll(async () => {
    subgraphs = await startSubgraphs({ SCHEMA_SCOPES: 'true' });
  });
  afterAll(() => subgraphs?.stop());

  it('rejects the supergraph, which is why permissions are not printed by default', async () => {
    await expect(startApolloGateway(subgraphs.supergraph)).rejects.toThrow(
      /requiresScopes.* is for: SECURITY but is unsupported/,
    );
  });
});
