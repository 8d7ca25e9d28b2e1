import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';

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
