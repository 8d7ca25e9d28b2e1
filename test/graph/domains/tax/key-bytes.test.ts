import { request as httpRequest } from 'node:http';
import { SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { byBase64, byMultipart, credentialOf, signatureForm, TODAY, VERIFY } from '../../../support/keys/signatures';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../../support/padrons/settings';
import { withPadron } from '../../../support/padrons/with-padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses, waitForDisconnect } from '../../../support/proxies/held-responses';
import { startProxy } from '../../../support/proxies/tampering-proxy';
import { form, postForm } from '../../../support/requests/multipart';
import { waitForMetric } from '../../../support/requests/scrape-metrics';
import { isWiped, watchBytes } from '../../../support/requests/watched-bytes';

const person = credentialOf('person');
const whole = signatureForm(person);
const unnamed = form([
  { name: 'operations', body: '{"query":"{ __typename }"}' },
  { name: 'map', body: '{}' },
  { name: '0', filename: 'private.key', body: person.privateKey },
]);
const bytes = watchBytes();
const wiped = () => waitUntil(() => bytes.unwiped().length === 0);

/** Sends a form from a client that can disconnect. */
function leavingClient({ url }: RunningPadron) {
  const headers = {
    'content-type': whole.contentType,
    authorization: `Bearer ${SANDBOX_TOKEN}`,
    'apollo-require-preflight': 'true',
  };
  const request = httpRequest(url, { method: 'POST', headers }).on('error', () => undefined);
  request.end(whole.body);
  return request;
}

describe('the bytes of a signature', () => {
  const padron = padronForTests({ now: () => TODAY });
  const submit = (query: string) => postForm(padron.url, signatureForm(person, query));
  const verify = 'verifySignature(input: $input) { outcome }';

  it.each<[string, () => Promise<unknown>, readonly string[]]>([
    ['is verified', () => byMultipart(padron, person), [VERIFY]],
    ['comes as base64', () => byBase64(padron, person), [VERIFY]],
    [
      'is verified by two fields',
      () => submit(`mutation ($input: SignatureInput!) { a: ${verify} b: ${verify} }`),
      [VERIFY, VERIFY],
    ],
    [
      'is refused by the service',
      () => byMultipart(padron, person, { authorization: `Bearer ${UNPERMITTED_TOKEN}` }),
      [VERIFY],
    ],
    ['has a wrong password', () => byMultipart(padron, { ...person, password: 'wrong' }), []],
    ['has a wrong RFC', () => byMultipart(padron, { ...person, rfc: 'NONSENSE' }), []],
    ['has a file that is too large', () => byMultipart(padron, { ...person, privateKey: Buffer.alloc(70_000, 1) }), []],
    ['is in no document', () => submit('mutation { nobody }'), []],
    ['is read by no field', () => submit('{ __typename }'), []],
    ['is only priced', () => byMultipart(padron, person, { 'x-dry-run': 'true' }), []],
    ['is beyond the budget', () => byMultipart(padron, person, { 'x-max-units': '0' }), []],
    ['is in a file that the map does not name', () => postForm(padron.url, unnamed), []],
  ])('are overwritten after a request whose signature %s', async (_, send, calls) => {
    await send();
    await wiped();
    expect(bytes.received().length + bytes.sent().length).toBeGreaterThan(0);
    expect(padron.calls()).toEqual(calls);
  });

  it('are overwritten where the caller lacks the permission, and where the client leaves in the middle of a file', async () => {
    const environment = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: LONG_SECRET };
    await withPadron({ now: () => TODAY, environment }, async (own) => {
      const authorization = `Bearer ${signedBySecret(LONG_SECRET, { scope: 'openid' })}`;
      const { data } = await byMultipart(own, person, { authorization });
      expect(data.verifySignature.outcome).toBe('NOT_PERMITTED');
      await wiped();
      expect(own.calls()).toEqual([]);
    });
    const headers = { 'content-length': whole.body.length, 'content-type': whole.contentType };
    const authorized = { ...headers, authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };
    const request = httpRequest(padron.url, { method: 'POST', headers: authorized }).on('error', () => undefined);
    request.write(whole.body.subarray(0, whole.body.length - 500));
    await waitUntil(() => bytes.unwiped().length > 0);
    request.destroy();
    await wiped();
    expect(padron.calls()).toEqual([]);
  });
});

describe('the bytes of a signature whose call is in flight', () => {
  let padron: ProxiedPadron;
  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    padron = await runPadronBehindProxy(environment, { now: () => TODAY });
    return holdResponses(padron.proxy);
  };
  afterEach(() => padron.stop());

  it('stay until the call has ended if the client disconnects, and the log has the charge', async () => {
    const held = await start();
    const client = leavingClient(padron);
    await held.arrived(1);
    client.destroy();
    await waitForDisconnect(padron.url);
    expect(bytes.sent().map(isWiped)).toEqual([false, false]);
    held.release();
    await wiped();
    await waitUntil(() => padron.log.some((line) => line.includes('"FOUND":1') && line.includes('"units":1')));
    expect([padron.calls(), padron.spent()]).toEqual([[VERIFY], 1]);
  });

  it('are overwritten if the client disconnects while its call is queued, and the previous call continues', async () => {
    const held = await start({ REGISTRY_CONCURRENCY: '1' });
    const first = byBase64(padron, person);
    await held.arrived(1);
    const client = leavingClient(padron);
    await waitForMetric(padron, 'padron_registry_calls_waiting', 1);
    expect(bytes.unwiped().length).toBeGreaterThan(bytes.sent().length);
    client.destroy();
    await waitUntil(() => bytes.received().every(isWiped));
    expect(bytes.sent().map(isWiped)).toEqual([false, false]);
    held.release();
    expect((await first).data.verifySignature.valid).toBe(true);
    await wiped();
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('are overwritten when the deadline passes', async () => {
    const held = await start({ REGISTRY_TIMEOUT_MS: '300' });
    const { data } = await byMultipart(padron, person);
    expect(data.verifySignature).toMatchObject({ outcome: 'UNAVAILABLE', evidence: { billing: 'UNKNOWN' } });
    await wiped();
    held.release();
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('are whole when the call is sent again', async () => {
    await start();
    padron.proxy.tamper(null);
    const limited = { status: 429, headers: { 'retry-after': '0' }, json: { message: 'x' } };
    padron.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited : null));
    const { data } = await byMultipart(padron, person);
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    expect(padron.proxy.requests.map(({ arrivals }) => arrivals)).toEqual([1, 2]);
    await wiped();
  });
});

it('the bytes of a signature are overwritten when padron stops, once the call is answered', async () => {
  let target = '';
  const proxy = await startProxy(() => target);
  const registryUrl = ({ url }: RunningPadron['sandbox']): string => {
    target = url;
    return proxy.url;
  };
  const padron = await runPadron({ now: () => TODAY, registryUrl });
  const held = holdResponses(proxy);
  const answer = byMultipart(padron, person);
  await held.arrived(1);
  const stopped = padron.stop();
  expect(bytes.sent().map(isWiped)).toEqual([false, false]);
  held.release();
  expect((await answer).data.verifySignature.valid).toBe(true);
  await stopped;
  expect(bytes.unwiped()).toEqual([]);
  await proxy.close();
});
