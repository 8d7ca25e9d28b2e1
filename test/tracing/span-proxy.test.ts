import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { mintTlsAuthority } from '../support/keys/tls-authority';
import { post } from '../support/padrons/padron';
import { startProcess } from '../support/processes/process';
import { encodedCredentials, PROXY_PASSWORD, startConnectProxy } from '../support/proxies/connect-proxy';
import { startReceiver } from '../support/proxies/receiver';
import { startTlsFront } from '../support/proxies/tls-front';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null);
const sandbox = sandboxForTests();

it('the spans that are exported by gRPC go through the proxy too', async () => {
  const proxy = await startConnectProxy({});
  const padron = startProcess({
    ...{ PORT: '0', HTTP_PROXY: proxy.url, NODE_PATH: join(__dirname, 'node_modules') },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  });
  try {
    await post(await padron.address(), { query: 'query Traced { registryEndpoints { units } }' });
    await padron.stop();
    expect(proxy.log[0]?.line).toBe('CONNECT collector.example:4317 HTTP/1.1');
    // The password was accepted: the proxy only does not know the name.
    expect(proxy.log[0]?.status).toBe(502);
    expect(padron.output()).not.toContain(PROXY_PASSWORD);
  } finally {
    padron.child.kill('SIGKILL');
    await proxy.close();
  }
});

describe('the spans of padron in a network that only a proxy leaves', () => {
  it.each([
    ['http/protobuf', 'https://collector.example', 'collector.example:443'],
    ['http/json', 'https://collector.example', 'collector.example:443'],
    ['', 'http://collector.example:4318', 'collector.example:4318'],
  ])('are exported through it (%s to %s), and do not name its password', async (protocol, endpoint, target) => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-span-proxy-'));
    const authority = await mintTlsAuthority();
    const file = join(folder, 'authority.pem');
    writeFileSync(file, authority.pem);
    const certificate = await authority.issue('collector.example', 'registry.example');
    const collector = await startReceiver(() => 200);
    const [collectorFront, service] = await Promise.all(
      [collector.url, sandbox.url].map((url) => startTlsFront(certificate, url)),
    );
    const proxy = await startConnectProxy({
      'collector.example:443': collectorFront?.url ?? '',
      'collector.example:4318': collector.url,
      'registry.example:443': service?.url ?? '',
    });
    const padron = startProcess({
      ...{ PORT: '0', REGISTRY_URL: 'https://registry.example', HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol },
      ...{ NODE_EXTRA_CA_CERTS: file, NODE_PATH: join(__dirname, 'node_modules') },
    });
    try {
      const query = `query Traced { person(nss: "${nss}") { credit { outcome } } }`;
      const { data } = await post(await padron.address(), { query });
      expect(data.person.credit.outcome).toBe('FOUND');
      expect(await padron.stop()).toBe(0);
      const [exported] = collector.received;
      expect(exported).toMatchObject({ path: '/v1/traces' });
      expect(exported?.body).toContain('Traced');
      expect(exported?.headers).not.toHaveProperty('proxy-authorization');
      expect(proxy.log.map(({ line, status }) => `${line} ${status}`)).toContain(`CONNECT ${target} HTTP/1.1 200`);
      expect(padron.output()).toMatch(new RegExp(`Proxies by system: .*traces: ${proxy.host}\\.`));
      const written = padron.output() + JSON.stringify(collector.received);
      for (const secret of [PROXY_PASSWORD, encodedCredentials, proxy.log[0]?.authorization ?? 'Basic'])
        expect(written).not.toContain(secret);
    } finally {
      padron.child.kill('SIGKILL');
      await Promise.all([proxy, collector, collectorFront, service].map((server) => server?.close()));
      rmSync(folder, { recursive: true });
    }
  });
});
