import { startSandbox } from '../../../src/extensions/sandbox/service';
import { preparePadron } from '../../support/padrons/ledger';
import { startProcess } from '../../support/processes/process';
import { askPriced } from '../../support/requests/money';
import { card } from '../../support/sandbox/cards';
import { engineRig, engines } from '../../support/stores/engines';

const query = 'query Late($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const request = { query, variables: { nss: card('slow', 'nss') } };

describe.each(engines)('a call that continues after its response, in the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('has one entry with its final outcome, also if the process is terminated meanwhile', async () => {
    const prepared = await preparePadron(rig, { REPLAY_SECONDS: '30' });
    const sandbox = await startSandbox({ slowMs: 2_000 });
    rig.atEnd(() => sandbox.close());
    const padron = startProcess({ PORT: '0', REGISTRY_URL: sandbox.url, ...prepared.environment });
    const url = await padron.address();
    const { data, units } = await askPriced({ url }, request, { 'x-answer-within': '1s' });
    expect(data.person.credit).toEqual({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
    expect(units).toMatchObject({ spent: 0, uncertain: 1 });
    padron.child.kill('SIGTERM');
    expect(await padron.ended()).toBe(0);
    const rows = await prepared.rows();
    expect(
      rows.map(({ outcome, billing, units: charged, operation }) => [outcome, billing, charged, operation]),
    ).toEqual([['FOUND', 'CHARGED', 1, 'Late']]);
  });

  it('has a second entry for the replay, which is free', async () => {
    const prepared = await preparePadron(rig, { REPLAY_SECONDS: '30' });
    const padron = await prepared.start({ sandbox: { slowMs: 2_000 } });
    await askPriced(padron, request, { 'x-answer-within': '1s' });
    const { data } = await askPriced(padron, request, { 'x-answer-within': '20s' });
    expect(data.person.credit.outcome).toBe('FOUND');
    await padron.stop();
    const rows = await prepared.rows();
    expect(rows.map(({ served_from, units: charged }) => [served_from, charged])).toEqual([
      ['LIVE', 1],
      ['REPLAY', 0],
    ]);
    expect(padron.spent()).toBe(1);
  });
});
