import { preparePadron } from '../../support/padrons/ledger';
import { engineRig, engines } from '../../support/stores/engines';
import { endUnderLoad } from './killed-padrons';

describe.each(engines)('a process with a ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('that is stopped under load leaves nothing out', async () => {
    const accounts = await endUnderLoad(await preparePadron(rig), ['SIGTERM']);
    expect(accounts.answered).toBeGreaterThan(10);
    expect(accounts).toMatchObject({ spent: accounts.serviceUnits, entries: accounts.serviceCalls, uncertain: 0 });
  }, 60_000);

  it('that is killed under load leaves no call out; those without an answer may have been charged', async () => {
    const accounts = await endUnderLoad(await preparePadron(rig), ['SIGKILL', 'SIGKILL']);
    expect(accounts.answered).toBeGreaterThan(10);
    expect(accounts.entries).toBeGreaterThanOrEqual(accounts.serviceCalls);
    expect(accounts.spent).toBeLessThanOrEqual(accounts.serviceUnits);
    expect(accounts.spent + accounts.uncertain).toBeGreaterThanOrEqual(accounts.serviceUnits);
  }, 60_000);
});
