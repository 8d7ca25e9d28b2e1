import { people } from '../../../src/sandbox/data/people';
import { runPadron } from '../../support/padrons/padron';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { LONG_SECRET } from '../../support/padrons/settings';
import { holdResponses, waitForDisconnect } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { redisForTests } from '../../support/stores/redis';

const redis = redisForTests();

describe('an instance that stops while it waits for an answer without a client', () => {
  it('leaves the paid answer to the other instances', async () => {
    const environment = { REPLAY_SECONDS: '30', REPLAY_URL: redis.url, REPLAY_KEY: LONG_SECRET };
    const staying = await runPadronBehindProxy(environment);
    const stopping = await runPadron({ environment, registryUrl: () => staying.proxy.url });
    const nss = people.find(({ credit }) => credit)?.nss;
    const body = { query: `{ person(nss: "${nss}") { credit { outcome evidence { servedFrom } } } }` };
    const held = holdResponses(staying.proxy);
    const client = new AbortController();
    const answer = askPriced(stopping, body, {}, client.signal).catch(() => null);
    await held.arrived(1);
    client.abort();
    await answer;
    await waitForDisconnect(stopping.url);
    const stopped = stopping.stop();
    held.release();
    await stopped;
    const { data, units } = await askPriced(staying, body);
    expect(data.person.credit).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
    expect(units).toMatchObject({ spent: 0, uncertain: 0 });
    expect(staying.proxy.requests).toHaveLength(1);
    await staying.stop();
  });
});
