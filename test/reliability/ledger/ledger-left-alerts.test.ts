import { people } from '../../../src/sandbox/data/people';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { post } from '../../support/padrons/padron';
import { startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { type Received, startReceiver } from '../../support/proxies/receiver';
import { scrapeMetrics, waitForMetric } from '../../support/requests/scrape-metrics';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';

const alertOf = ({ body }: Received) => JSON.parse(body);

describe.each(engines)('alerts of a process that was killed, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  it('are sent by the next process, once', async () => {
    let isReady = false;
    const receiver = await startReceiver(() => (isReady ? 204 : null));
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, ALERT_URL: receiver.url });
    await insertBudget(prepared, service.url, { units: 2, alertsAt: [50] });
    const killed = startProcess({ ...prepared.environment, PORT: '0', REGISTRY_URL: service.url });
    await post(await killed.address(), { query, variables: { nss: people[0]?.nss } });
    await receiver.until(1);
    killed.child.kill('SIGKILL');
    await killed.ended();
    // Ends the time that a process has for a delivery.
    const age = 'UPDATE ledger_alerts SET next_at = now() RETURNING delivered_at';
    expect(await prepared.read((store) => store.query(age))).toEqual([{ delivered_at: null }]);
    isReady = true;
    const next = await prepared.start({ registryUrl: () => service.url });
    await receiver.until(2);
    await next.stop();
    receiver.close();
    const [first, again, ...more] = receiver.received.map(alertOf);
    expect([again?.id, again?.percent, more]).toEqual([first?.id, 50, []]);
    const rows = await prepared.read((store) => store.query('SELECT delivered_at FROM ledger_alerts'));
    expect(rows).toEqual([{ delivered_at: expect.anything() }]);
  }, 60_000);

  it('are retried until they are accepted, and the log has the budget and the reason of a failure', async () => {
    const receiver = await startReceiver(() => null);
    const port = new URL(receiver.url).port;
    receiver.close();
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, ALERT_URL: receiver.url });
    const budget = await insertBudget(prepared, service.url, { units: 2, alertsAt: [50] });
    const padron = await prepared.start({ registryUrl: () => service.url });
    await padron.ask(query, { nss: people[0]?.nss });
    const failures = () => padron.log.filter((line) => line.includes('ALERT_URL did not accept an alert'));
    await waitUntil(() => failures().length >= 2);
    expect(JSON.parse(failures()[0] ?? '')).toMatchObject({ budget: budget?.id, percent: 50, reason: 'ECONNREFUSED' });
    expect((await scrapeMetrics(padron)).of('padron_budget_alerts_total')).toBe(0);
    const again = await startReceiver(() => 204, Number(port));
    await again.until(1);
    await waitForMetric(padron, 'padron_budget_alerts_total', 1, 10);
    await padron.stop();
    again.close();
    expect(again.received.map(alertOf)).toMatchObject([{ percent: 50, spentUnits: 1 }]);
  }, 60_000);
});
