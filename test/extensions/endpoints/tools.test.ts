import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTools } from '../../../src/extensions/agents/tools';
import { OperationLimiter } from '../../../src/graph/core/operations/operation-limits';
import { ownPrices } from '../../../src/registry/endpoint/price-list';
import { readConfig } from '../../support/padrons/whole-padron';
import { setupOf } from './definitions';

describe('a field of an endpoint file, in the tool of an agent', () => {
  it('has its price, its scope and the shape of its record', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-tools-'));
    const query = 'query Weeks($nss: NSS!) { person(nss: $nss) { contributionWeeks { outcome record { weeks } } } }';
    writeFileSync(join(folder, 'weeks.graphql'), query);
    const { graph } = setupOf();
    if (graph === undefined) throw new Error('The setup has a graph.');
    const config = readConfig({ MCP: 'on', TRUSTED_DOCUMENTS: folder });
    const limiter = new OperationLimiter(graph, config.limits);
    const tools = await createTools({ config, graph, limiter, client: { prices: ownPrices } });
    rmSync(folder, { recursive: true });
    const tool = tools.get('Weeks');
    expect(tool).toMatchObject({ price: { units: 3 }, scopes: ['use_semanas_cotizadas'] });
    expect(JSON.stringify(tool?.output)).toContain('"weeks":');
  });
});
