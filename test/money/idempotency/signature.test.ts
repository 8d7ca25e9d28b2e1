import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import {
  base64Input,
  byBase64,
  byMultipart,
  credentialOf,
  type Submission,
  TODAY,
  VERIFY,
  verifyMutation,
} from '../../support/keys/signatures';
import { type GraphqlAnswer, post, runPadron } from '../../support/padrons/padron';
import type { ProxiedPadron } from '../../support/padrons/padron-behind-proxy';
import { startSharingPadrons } from '../../support/padrons/sharing-padrons';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses, waitForDisconnect } from '../../support/proxies/held-responses';
import { startProxy } from '../../support/proxies/tampering-proxy';
import { type EngineRig, engineRig, engines, ownServerRig } from '../../support/stores/engines';
import { dumpDatabase } from '../../support/stores/postgres';

const person = credentialOf('person');
let keys = 0;
const nextKey = (): { 'idempotency-key': string } => {
  keys += 1;
  return { 'idempotency-key': `planted-key-${keys}` };
};
const isReplay = ({ headers }: GraphqlAnswer): boolean => headers['idempotency-replayed'] === 'true';
const codesOf = ({ errors = [] }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

/** Sends a signature and disconnects while the service answers, so that the client never gets the response. */
async function loseResponse(
  padron: Pick<ProxiedPadron, 'url' | 'proxy'>,
  headers: Readonly<Record<string, string>>,
): Promise<() => void> {
  const held = holdResponses(padron.proxy);
  const controller = new AbortController();
  const body = JSON.stringify({ query: verifyMutation, variables: { input: base64Input(person) } });
  const sent = request(padron.url, {
    method: 'POST',
    signal: controller.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers },
    body,
  }).catch(() => undefined);
  await held.arrived(1);
  controller.abort();
  await sent;
  await waitForDisconnect(padron.url);
  return held.release;
}

const places: readonly (readonly [string, (() => EngineRig) | null])[] = [
  ['without a store', null],
  ...engines.map((engine) => [`with the ${engine} store`, () => engineRig(engine)] as const),
];

describe.each(places)('a signature with an idempotency key, %s', (_place, makeRig) => {
  const rig = makeRig?.() ?? null;
  let environment: Readonly<Record<string, string>> = {};
  let padron: ProxiedPadron;
  const start = async (proxy: ProxiedPadron['proxy']): Promise<ProxiedPadron> => {
    const running = await runPadron({ environment, now: () => TODAY, registryUrl: () => proxy.url });
    return { ...running, proxy };
  };
  beforeAll(async () => {
    environment = rig === null ? {} : (await rig.settings()).environment;
    padron = await start(await startProxy(() => padron.sandbox.url));
  });
  afterAll(async () => {
    await padron.proxy.close();
    await padron.stop();
  });
  beforeEach(() => {
    padron.proxy.reset();
    padron.calls();
  });

  it('is charged once if the response was lost: the second request waits for the first, and gets its result', async () => {
    const key = nextKey();
    const release = await loseResponse(padron, key);
    const second = byBase64(padron, person, key);
    await sleep(300);
    release();
    const answer = await second;
    expect(answer.data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true, evidence: { units: 1 } });
    expect([isReplay(answer), answer.headers['x-units-spent']]).toEqual([true, '0']);
    expect(padron.calls()).toEqual([VERIFY]);
    if (rig === null) return;

    // The same after a restart.
    await padron.stop();
    padron = await start(padron.proxy);
    const third = await byBase64(padron, person, key);
    expect([third.data, isReplay(third), padron.calls()]).toEqual([answer.data, true, []]);
  });

  it.each([
    ['by base64', byBase64],
    ['by multipart', byMultipart],
  ])('runs once for two concurrent requests: %s', async (_way, verify) => {
    const key = nextKey();
    const answers = await Promise.all([verify(padron, person, key), verify(padron, person, key)]);
    expect(answers.map(isReplay).sort()).toEqual([false, true]);
    expect(answers[0]?.data).toEqual(answers[1]?.data);
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it.each<[string, Partial<Submission>]>([
    ['password', { password: `${person.password}x` }],
    ['certificate', { certificate: credentialOf('company').certificate }],
    ['private key', { privateKey: credentialOf('company').privateKey }],
  ])('is refused with another %s, free of charge', async (_part, change) => {
    const key = nextKey();
    await byMultipart(padron, person, key);
    const refused = await byMultipart(padron, { ...person, ...change }, key);
    expect([refused.status, codesOf(refused)]).toEqual([400, ['IDEMPOTENCY_KEY_REUSED']]);
    expect(isReplay(await byMultipart(padron, person, key))).toBe(true);
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('runs again after a failure that cost nothing', async () => {
    const key = nextKey();
    const wrong = await byBase64(padron, { ...person, password: 'wrong' }, key);
    expect(wrong.data.verifySignature.problems).toMatchObject([{ code: 'WRONG_PASSWORD' }]);
    padron.proxy.tamper(() => ({ status: 401, json: { success: false, status: 401, message: 'x', data: [] } }));
    expect(codesOf(await byBase64(padron, person, key))).toEqual(['UNAUTHENTICATED']);
    padron.proxy.tamper(() => ({ status: 403, json: { success: false, status: 403, message: 'x', data: [] } }));
    expect((await byBase64(padron, person, key)).data.verifySignature.outcome).toBe('NOT_PERMITTED');
    padron.proxy.tamper(null);
    const answer = await byBase64(padron, person, key);
    expect([answer.data.verifySignature.outcome, isReplay(answer)]).toEqual(['FOUND', false]);
    expect(padron.proxy.requests).toHaveLength(3);
  });

  it('does not run again after a failure that may have been charged', async () => {
    const key = nextKey();
    padron.proxy.tamper(() => (response) => response.destroy());
    const first = await byBase64(padron, person, key);
    expect(first.data.verifySignature).toMatchObject({ outcome: 'UNAVAILABLE', evidence: { billing: 'UNKNOWN' } });
    padron.proxy.tamper(null);
    const second = await byBase64(padron, person, key);
    expect([second.data, isReplay(second)]).toEqual([first.data, true]);
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it('has separate keys for each account, and for sandbox mode', async () => {
    const key = nextKey();
    await byBase64(padron, person, key);
    await byBase64(padron, person, { ...key, authorization: 'Bearer another-token' });
    await byBase64(padron, person, { ...key, 'x-sandbox': 'true' });
    expect(padron.proxy.requests.map(({ headers }) => [headers.authorization, headers['x-sandbox']])).toEqual([
      [`Bearer ${SANDBOX_TOKEN}`, undefined],
      ['Bearer another-token', undefined],
      [`Bearer ${SANDBOX_TOKEN}`, 'true'],
    ]);
  });
});

/** Texts that would reveal a secret, the key of the request or the person. */
const planted = [
  person.password,
  person.rfc,
  'planted-key',
  SANDBOX_TOKEN,
  ...[person.privateKey, person.certificate].flatMap((bytes) => [
    bytes.toString('base64').slice(100, 140),
    bytes.toString('hex').slice(100, 140),
  ]),
];

describe('two processes over one PostgreSQL', () => {
  const rig = ownServerRig();
  let padrons: Awaited<ReturnType<typeof startSharingPadrons>>;
  let killed: PadronProcess | null = null;
  beforeAll(async () => {
    padrons = await startSharingPadrons(rig, { REPLAY_SECONDS: '0', REGISTRY_TIMEOUT_MS: '5000' });
    rig.atEnd(() => padrons.stop());
    rig.atEnd(async () => void (await killed?.stop()));
  });
  beforeEach(() => padrons.proxy.reset());

  it('verify a signature once', async () => {
    const key = nextKey();
    const release = await loseResponse(padrons.first, key);
    const second = byBase64(padrons.second, person, key);
    await sleep(300);
    release();
    const answer = await second;
    expect([answer.data.verifySignature.outcome, isReplay(answer)]).toEqual(['FOUND', true]);
    const reused = await byBase64(padrons.second, { ...person, password: 'x' }, key);
    expect(codesOf(reused)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    expect(padrons.calls()).toBe(1);
  });

  it('say that the result is lost if the process that verified it was killed, and pay nothing again', async () => {
    const key = nextKey();
    const held = holdResponses(padrons.proxy);
    killed = startProcess(padrons.settings());
    const operation = { query: verifyMutation, variables: { input: base64Input(person) } };
    const first = post(await killed.address(), operation, key).catch(() => 'lost');
    await held.arrived(1);
    killed.child.kill('SIGKILL');
    expect(await first).toBe('lost');
    const second = await byBase64(padrons.second, person, key);
    expect([second.status, codesOf(second)]).toEqual([400, ['IDEMPOTENCY_RESULT_LOST']]);
    expect(codesOf(await byBase64(padrons.first, person, key))).toEqual(['IDEMPOTENCY_RESULT_LOST']);
    held.release();
    expect(padrons.calls()).toBe(1);
  });

  it('share their results while the operator changes DATA_KEYS', async () => {
    const key = nextKey();
    await byBase64(padrons.first, person, key);
    const { DATA_KEYS = '' } = (await rig.settings()).environment;
    const rotated = await padrons.add({ DATA_KEYS: `${'fedcba9876543210'.repeat(3)},${DATA_KEYS}` });
    expect(isReplay(await byBase64(rotated, person, key))).toBe(true);
    const newer = nextKey();
    await byBase64(rotated, person, newer);
    expect(isReplay(await byBase64(padrons.first, person, newer))).toBe(true);
    expect(padrons.calls()).toBe(2);
  });

  it('keep nothing for longer than a day', async () => {
    const key = nextKey();
    await byBase64(padrons.first, person, key);
    await padrons.query(`UPDATE request_results SET expires_at = expires_at - interval '23 hours 59 minutes'`);
    expect(isReplay(await byBase64(padrons.second, person, key))).toBe(true);
    await padrons.query(`UPDATE request_results SET expires_at = expires_at - interval '1 minute'`);
    expect(isReplay(await byBase64(padrons.second, person, key))).toBe(false);
    expect(padrons.calls()).toBe(2);
  });

  it('store and log no secret, no key of a request and no person', async () => {
    await byBase64(padrons.first, person, nextKey());
    await byMultipart(padrons.second, person, nextKey());
    const { DATABASE_URL = '' } = padrons.settings();
    expect(await padrons.query('SELECT FROM request_results WHERE result IS NOT NULL')).not.toEqual([]);
    const logs = [padrons.first, padrons.second].flatMap(({ log }) => log);
    const text = [await dumpDatabase(DATABASE_URL), ...logs].join('\n');
    expect(planted.filter((each) => text.includes(each) || text.includes(Buffer.from(each).toString('hex')))).toEqual(
      [],
    );
  });

  it('run nothing while the store is unavailable', async () => {
    await rig.cluster.kill();
    const refused = await byBase64(padrons.first, person, nextKey());
    expect(codesOf(refused)).toEqual(['LEDGER_UNAVAILABLE']);
    const key = nextKey();
    await rig.cluster.start();
    // The request that could not be opened is forgotten, and runs.
    let answer = refused;
    await waitUntil(async () => {
      answer = await byBase64(padrons.first, person, key);
      return answer.errors === undefined;
    });
    expect([answer.data.verifySignature.outcome, isReplay(answer)]).toEqual(['FOUND', false]);
    expect(padrons.calls()).toBe(1);
  });
});
