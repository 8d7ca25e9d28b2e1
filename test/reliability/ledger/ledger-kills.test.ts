import { preparePadron } from '../../support/padrons/ledger';
import { engineRig, engines } from '../../support/stores/engines';
import { endUnderLoad } from './killed-padrons';

const fourTimes = <Value>(value: Value): readonly Value[] => Array.from({ length: 4 }, () => value);

describe.each(engines)('four processes with a ledger on the %s engine, one after the other', (engine) => {
  const rig = engineRig(engine);

  it('that are killed under load leave no call out', async () => {
    const accounts = await endUnderLoad(await preparePadron(rig), fourTimes('SIGKILL' as const));
    process.stdout.write(`${engine}: ${JSON.stringify(accounts)}\n`);
    expect(accounts.entries).toBeGreaterThanOrEqual(accounts.serviceCalls);
    expect(accounts.spent).toBeLessThanOrEqual(accounts.serviceUnits);
    expect(accounts.spent + accounts.uncertain).toBeGreaterThanOrEqual(accounts.serviceUnits);
  }, 300_000);

  it('that are stopped under load agree with the service to the unit', async () => {
    const accounts = await endUnderLoad(await preparePadron(rig), fourTimes('SIGTERM' as const));
    process.stdout.write(`${engine}: ${JSON.stringify(accounts)}\n`);
    expect(accounts).toMatchObject({ spent: accounts.serviceUnits, entries: accounts.serviceCalls, uncertain: 0 });
  }, 300_000);
});
