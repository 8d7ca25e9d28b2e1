import { preparePadron } from '../../support/padrons/ledger';
import { engineRig, engines } from '../../support/stores/engines';
import { endUnderLoad } from './killed-padrons';

describe.each(engines)('consecutive processes with a ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('that are killed under load record every call', async () => {
    const accounts = await endUnderLoad(await preparePadron(rig), ['SIGKILL']);
    expect(accounts.answered).toBeGreaterThan(10);
    expect(accounts.entries).toBeGreaterThanOrEqual(accounts.serviceCalls);
    expect(accounts.spent).toBeLessThanOrEqual(accounts.serviceUnits);
    expect(accounts.spent + accounts.uncertain).toBeGreaterThanOrEqual(accounts.serviceUnits);
  }, 120_000);

  it('that are stopped under load record exactly the units of the service', async () => {
    const accounts = await endUnderLoad(await preparePadron(rig), ['SIGTERM']);
    expect(accounts.answered).toBeGreaterThan(10);
    expect(accounts).toMatchObject({ spent: accounts.serviceUnits, entries: accounts.serviceCalls, uncertain: 0 });
  }, 120_000);
});
