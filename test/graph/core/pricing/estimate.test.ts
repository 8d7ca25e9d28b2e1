import { parse } from 'graphql';
import type { Context } from '../../../../src/graph/core/context';
import { estimateUnits } from '../../../../src/graph/core/pricing/estimate';
import { buildGraph } from '../../../../src/graph/schema/build-schema';

describe('the estimate of a row that does not match the variables', () => {
  it('does not print the row into an error for each of its errors', async () => {
    let printed = 0;
    const name = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, index]));
    Object.defineProperty(name, 'toJSON', {
      value: () => {
        printed += 1;
        return 'printed';
      },
    });
    const dataSource = { isDryRun: false, sandbox: false, address: () => 'POST /' };
    const request = {
      schema: buildGraph().schema,
      document: parse('query ($name: PersonNameInput) { person(name: $name) { nss } }'),
      operationName: null,
      rows: [{ name }],
      dataset: null,
    };
    const estimate = await estimateUnits(request, { dataSource, unitPrice: null } as unknown as Context);
    expect(estimate).toMatchObject({ estimatedUnits: 0, invalidRows: 1 });
    // The first error, and the one that ends the search for more.
    expect(printed).toBeLessThanOrEqual(2);
  });
});
