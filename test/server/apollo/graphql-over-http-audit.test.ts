import { serverAudits } from 'graphql-http';
import { audit } from '../../reliability/audit';
import { padronForTests } from '../../support/padrons/padron-for-tests';

describe('the audit of GraphQL over HTTP', () => {
  const padron = padronForTests();

  it('has no error and no warning', async () => {
    const { passed, faults } = await audit(padron.url);
    expect(faults).toEqual([]);
    // What is left are wishes: a GET without the header that keeps other sites out is refused.
    expect(passed).toBeGreaterThan(55);
  });

  it('has no hint either if each GET has the header that makes browsers send a preflight', async () => {
    const all = serverAudits({ url: padron.url }).length;
    expect(await audit(padron.url, { 'apollo-require-preflight': 'true' })).toEqual({
      passed: all,
      wishes: [],
      faults: [],
    });
  });
});
