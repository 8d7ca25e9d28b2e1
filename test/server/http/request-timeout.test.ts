import { once } from 'node:events';
import { connect } from 'node:net';
import { readConfig } from '../../../src/config/config';
import { PdfTextReader } from '../../../src/graph/core/files/pdf-text-reader';
import { OperationLimiter } from '../../../src/graph/core/operations/operation-limits';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import { RegistryClient } from '../../../src/registry/client/client';
import { OperationBudgets } from '../../../src/registry/operation-budgets';
import { SignedLinkClient } from '../../../src/registry/signed-links';
import { OperationGate } from '../../../src/server/apollo/operation-gate';
import { type App, createApp } from '../../../src/server/app';
import { KnownAccounts } from '../../../src/server/auth/known-accounts';
import { ErrorFormatter } from '../../../src/server/errors/error-formatter';
import { ErrorReference } from '../../../src/server/http/error-reference';
import { createLogger } from '../../../src/server/telemetry/logger';
import { Metrics } from '../../../src/server/telemetry/metrics';
import { memoryReplay } from '../../support/stores/memory-replay';

const now = (): Date => new Date();
const nowhere = { timeoutMs: 1_000, concurrency: 1 };

describe('a request that does not arrive completely', () => {
  let app: App;
  let client: RegistryClient;
  beforeEach(async () => {
    client = new RegistryClient({ url: 'http://127.0.0.1:1', ...nowhere, now, paths: {} });
    const [config, graph, log] = [readConfig({}), buildGraph(), createLogger('silent')];
    const metrics = new Metrics(() => client.state());
    app = await createApp({
      config,
      graph,
      limiter: new OperationLimiter(graph, config.limits),
      serviceUrl: 'http://127.0.0.1:1',
      client,
      replay: memoryReplay({ now }),
      operations: new OperationBudgets(),
      links: new SignedLinkClient({ origins: [], maxBytes: 1, ...nowhere }),
      pdfText: new PdfTextReader(),
      gate: new OperationGate(null, metrics, log),
      metrics,
      errorReference: new ErrorReference(config),
      errors: new ErrorFormatter(graph.schema, log, false, () => undefined),
      log,
      now,
      ledger: null,
      knownAccounts: new KnownAccounts(async () => null),
      batches: null,
    });
  });
  afterEach(async () => {
    await app.stop();
    await client.close();
  });

  it.each([
    ['its head', 'POST /graphql HTTP/1.1\r\nhost: a\r\n'],
    [
      'its body',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"q',
    ],
  ])('gets a response with the reason after a minute, and its connection is closed: %s', async (_, bytes) => {
    const { server } = app.http;
    expect(server.requestTimeout).toBe(60_000);
    // The same watch, faster: Node looks for late requests at intervals.
    Object.assign(server, { requestTimeout: 60, headersTimeout: 60, connectionsCheckingInterval: 20 });
    const url = new URL(await app.http.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(url.port), url.hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.write(bytes);
    await once(socket, 'close');
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(body)).toEqual({
      errors: [{ message: 'The request took too long to arrive.', extensions: { code: 'BAD_REQUEST' } }],
    });
  });
});
