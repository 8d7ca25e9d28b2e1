import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { findOrThrow } from '../../support/find-or-throw';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { freePort } from '../../support/processes/free-port';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';

describe('retries', () => {
  const { nss } = findOrThrow(people, ({ credit, account }) => !!credit && !!account);
  const query = `{ person(nss: "${nss}") { credit { outcome evidence { servedFrom status billing units } problems { code retryable retryAfter } } } }`;

  /** undici reports each failed connection to a port on this channel. */
  function onRefused(port: number, report: (times: number) => void): () => void {
    let times = 0;
    const listener = (message: unknown): void => {
      const { connectParams } = message as { readonly connectParams: { readonly port: string } };
      if (connectParams.port !== String(port)) return;
      times += 1;
      report(times);
    };
    subscribe('undici:client:connectError', listener);
    return () => unsubscribe('undici:client:connectError', listener);
  }

  describe('a service that refuses connections', () => {
    let padron: RunningPadron;
    let port: number;
    let stopCounting: () => void = () => undefined;
    beforeEach(async () => {
      port = await freePort();
      padron = await runPadron({ registryUrl: () => `http://127.0.0.1:${port}` });
    });
    afterEach(async () => {
      stopCounting();
      await padron.stop();
    });

    it('is retried twice, at no cost', async () => {
      let refused = 0;
      stopCounting = onRefused(port, (times) => {
        refused = times;
      });
      const { data } = await padron.ask(query);
      expect(data.person.credit).toEqual({
        outcome: 'UNAVAILABLE',
        evidence: { servedFrom: 'NOT_SENT', status: null, billing: 'NOT_CHARGED', units: 0 },
        problems: [{ code: 'REGISTRY_UNREACHABLE', retryable: true, retryAfter: null }],
      });
      expect(refused).toBe(3);
    });

    it('is reached if it is back at the next retry', async () => {
      const sandbox: Sandbox = await startSandbox();
      let back: Promise<TamperingProxy> | null = null;
      stopCounting = onRefused(port, () => {
        back ??= startProxy(sandbox.url, port);
      });
      try {
        const { data } = await padron.ask(query);
        expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { billing: 'CHARGED', units: 1 } });
        expect(sandbox.calls).toHaveLength(1);
      } finally {
        await (await (back as Promise<TamperingProxy> | null))?.close();
        await sandbox.close();
      }
    });
  });

  describe('a rate limit', () => {
    const padron = proxiedPadronForTests();

    const limited = (headers: Readonly<Record<string, string | string[]>>) => ({
      status: 429,
      headers,
      json: { success: false, status: 429, message: 'Demasiadas peticiones.' },
    });

    it('of one second is waited for, and the answer is paid once', async () => {
      const before = padron.spent();
      padron.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited({ 'retry-after': '1' }) : null));
      const { data } = await padron.ask(query);
      expect(data.person.credit).toMatchObject({
        outcome: 'FOUND',
        evidence: { status: 200, billing: 'CHARGED', units: 1 },
        problems: [],
      });
      expect(padron.proxy.requests).toHaveLength(2);
      expect(padron.spent() - before).toBe(1);
    });

    it('that is waited for leaves the whole REGISTRY_TIMEOUT_MS for the answer', async () => {
      const hurried = await runPadronBehindProxy({ REGISTRY_TIMEOUT_MS: '4000' });
      const slow = ({ status }: { readonly status: number }) => sleep(status === 200 ? 2_500 : 0).then(() => null);
      hurried.proxy.tamper(slow);
      hurried.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited({ 'retry-after': '2' }) : null));
      const { data } = await hurried.ask(query);
      await hurried.stop();
      expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { billing: 'CHARGED', units: 1 } });
      expect(hurried.proxy.requests).toHaveLength(2);
    });

    it('that persists is reported after three attempts', async () => {
      padron.proxy.standIn(() => limited({ 'retry-after': '0' }));
      const { data } = await padron.ask(query);
      expect(data.person.credit).toMatchObject({
        outcome: 'UNAVAILABLE',
        evidence: { status: 429, billing: 'NOT_CHARGED', units: 0 },
        problems: [{ code: 'RATE_LIMITED', retryable: true, retryAfter: 0 }],
      });
      expect(padron.proxy.requests).toHaveLength(3);
    });

    it.each<[string, Readonly<Record<string, string | string[]>>, unknown]>([
      ['asks for a day', { 'retry-after': '86400' }, 86_400],
      ['asks for longer than a call may wait', { 'retry-after': '31' }, 31],
      ['asks for nothing', {}, null],
      ['asks for something unreadable', { 'retry-after': 'soon' }, null],
      ['asks for two times at once', { 'retry-after': ['0', '0'] }, null],
      ['asks for a fraction', { 'retry-after': '1.5' }, null],
      ['asks for less than nothing', { 'retry-after': '-5' }, null],
      ['names the end of time', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 999_999_999],
      ['names an hour', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }, expect.any(Number)],
    ])('that %s is reported at once', async (_name, headers, retryAfter) => {
      padron.proxy.standIn(() => limited(headers));
      const { data, errors } = await padron.ask(query);
      expect(errors).toBeUndefined();
      expect(data.person.credit).toMatchObject({
        outcome: 'UNAVAILABLE',
        evidence: { billing: 'NOT_CHARGED' },
        problems: [{ code: 'RATE_LIMITED', retryAfter }],
      });
      expect(padron.proxy.requests).toHaveLength(1);
    });
  });
});

describe('requests on the wire', () => {
  const { nss, curp } = findOrThrow(people, ({ credit }) => !!credit);
  const credit = `{ person(nss: "${nss}") { credit { outcome evidence { servedFrom } } } }`;

  const padron = proxiedPadronForTests();

  describe('a request to the service', () => {
    it("has the caller's bearer token, and no Accept-Encoding", async () => {
      await padron.ask(credit, {}, { authorization: `bearer   ${OTHER_TOKEN}` });
      await padron.ask(credit, {}, { 'accept-encoding': 'gzip, br' });
      expect(padron.proxy.requests.map(({ headers }) => headers)).toMatchObject([
        { authorization: `Bearer ${OTHER_TOKEN}`, 'accept-encoding': 'identity', accept: 'application/json' },
        { authorization: `Bearer ${SANDBOX_TOKEN}`, 'accept-encoding': 'identity', accept: 'application/json' },
      ]);
    });

    it('has sandbox mode only if the caller asked for it', async () => {
      for (const asked of ['true', '1', 'false', '']) await padron.ask(credit, {}, { 'x-sandbox': asked });
      expect(padron.proxy.requests.map(({ headers }) => headers['x-sandbox'])).toEqual([
        'true',
        'true',
        undefined,
        undefined,
      ]);
    });

    it('has no other header of the caller', async () => {
      const headers = { cookie: 'a=b', 'x-forwarded-for': '10.1.2.3', 'user-agent': 'somebody', traceparent: 'x' };
      await padron.ask(credit, {}, headers);
      const [sent] = padron.proxy.requests;
      expect(Object.keys(sent?.headers ?? {}).sort()).toEqual([
        'accept',
        'accept-encoding',
        'authorization',
        'connection',
        'content-length',
        'host',
      ]);
    });

    it('uses connections that stay open', async () => {
      await padron.ask(credit);
      const before = padron.proxy.connections();
      for (let time = 0; time < 5; time += 1) await padron.ask(credit);
      expect(padron.proxy.connections()).toBe(before);
      expect(padron.proxy.requests).toHaveLength(6);
    });
  });

  describe('sandbox mode if the path of the population registry is outside /api', () => {
    it('is not documented there, so the registry is not called', async () => {
      const elsewhere = await runPadronBehindProxy({ IDENTITY_PATH: '/private/identidad' });
      try {
        const { data } = await elsewhere.ask(
          `{ person(curp: "${curp}") { identity { outcome problems { code } } } }`,
          {},
          { 'x-sandbox': 'true' },
        );
        expect(data.person.identity).toEqual({ outcome: 'NOT_RUN', problems: [{ code: 'SANDBOX_UNSUPPORTED' }] });
        expect(elsewhere.proxy.requests).toEqual([]);
      } finally {
        await elsewhere.stop();
      }
    });
  });
});
