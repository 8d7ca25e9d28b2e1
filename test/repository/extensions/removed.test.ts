import { request } from 'undici';
import { ConfigError, readConfig } from '../../../src/config/config';
import { settingNames } from '../../../src/config/settings';
import { extensions } from '../../../src/extensions';
import { people } from '../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import { startPadron } from '../../../src/server/start';
import { createLogger } from '../../../src/server/telemetry/logger';
import { post } from '../../support/padrons/padron';
import { ownExtensions } from '../../support/padrons/settings';

const log = createLogger('silent');
const nss = people.find(({ credit, licences }) => credit && licences.length > 0)?.nss;
const profile = '{ person(nss: "NSS") { credit { outcome evidence { units } } licences { outcome } } }';

/** Status of a browser's or an agent's request, which an extension would serve. */
async function statusOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const { statusCode, body } = await request(url, { headers });
  await body.dump();
  return statusCode;
}

/** A setting of each extension, and what is gone with it: types of the graph, and a request that it serves. */
const removals = [
  ['batch', 'BATCH_MAX_ROWS', ['RegistryBatch', 'RegistryBatchInput'], '/batches/1/results.csv?link=x', {}],
  ['explorer', 'EXPLORER', [], '/graphql', { accept: 'text/html' }],
  ['agents', 'MCP', [], '/mcp', {}],
  ['proof', 'PROOF_KEY', ['RegistryProofLanguage'], '/.well-known/jwks.json', {}],
  ['sandbox', 'SANDBOX', [], null, {}],
  ['endpoints', 'NSS_FINDER', [], null, {}],
] as const;

describe('padron without an extension', () => {
  it('is tried with each extension', () => {
    expect(removals.map(([name]) => name)).toEqual(ownExtensions);
    expect(extensions.map(({ name }) => name)).toEqual(expect.arrayContaining(ownExtensions));
  });

  for (const [name, setting, types, path, headers] of removals) {
    const remaining = extensions.filter((extension) => extension.name !== name);
    const graphParts = remaining.flatMap(({ graph }) => graph ?? []);

    it(`has none of its fields, and all remaining: ${name}`, () => {
      const whole = buildGraph(extensions.flatMap(({ graph }) => graph ?? [])).schema.getTypeMap();
      const { schema } = buildGraph(graphParts);
      const missing = Object.keys(whole).filter((type) => schema.getType(type) === undefined);
      expect(missing).toEqual(expect.arrayContaining([...types]));
      expect(
        missing.filter((type) => !/^(Registry(Batch|Earlier|Row|Column|ProofLanguage)|Float$)/.test(type)),
      ).toEqual([]);
      expect(missing.length === 0).toBe(types.length === 0);
    });

    it(`does not know its settings: ${name}`, () => {
      expect(settingNames(extensions)).toContain(setting);
      expect(settingNames(remaining)).not.toContain(setting);
      expect(() => readConfig({ [setting]: 'nonsense' }, extensions)).toThrow(ConfigError);
      expect(readConfig({ [setting]: 'nonsense' }, remaining).extensions).not.toHaveProperty(name);
    });

    it(`answers a profile, and pays for it: ${name}`, async () => {
      const sandbox = await startSandbox();
      const settings = { PORT: '0', REGISTRY_URL: sandbox.url, REPLAY_SECONDS: '0' };
      const padron = await startPadron(readConfig(settings, remaining), log, remaining);
      try {
        const { data } = await post(padron.url, { query: profile.replace('NSS', nss ?? '') });
        expect(data.person).toEqual({
          credit: { outcome: 'FOUND', evidence: { units: 1 } },
          licences: { outcome: 'FOUND' },
        });
        expect(sandbox.calls.map(({ units }) => units)).toEqual([1, 1]);
        if (path !== null) expect([404, 406]).toContain(await statusOf(new URL(path, padron.url).href, headers));
      } finally {
        await padron.stop();
        await sandbox.close();
      }
    });
  }

  it('needs REGISTRY_URL without the sandbox', async () => {
    const remaining = extensions.filter(({ name }) => name !== 'sandbox');
    const starting = startPadron(readConfig({ PORT: '0' }, remaining), log, remaining);
    await expect(starting).rejects.toThrow(/REGISTRY_URL is not set\. Set it to the base URL/);
  });
});
