import { Client } from 'pg';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { preparePadron } from '../../../support/padrons/ledger';
import { waitUntil } from '../../../support/proxies/deferred';
import { ownServerRig } from '../../../support/stores/engines';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const check = `{ person(nss: "${nss}") { credit { outcome evidence { ledgerId } } } }`;

// padron takes a few seconds to notice that a database has ended, and that it is available again.
jest.setTimeout(60_000);

describe('while the store of the ledger is unavailable', () => {
  const rig = ownServerRig();

  it('its fields and its CSV file answer LEDGER_UNAVAILABLE', async () => {
    const padron = await (await preparePadron(rig)).start();
    const { ledgerId } = (await padron.ask(check)).data.person.credit.evidence;
    const { data: before } = await padron.ask('{ registryLedger { csvUrl } }');
    await rig.cluster.kill();
    const { status, data, errors } = await padron.ask(`{
      registryLedger { next } registrySpend { units } registryProofs(subject: { nss: "${nss}" }) { next } }`);
    expect(status).toBe(200);
    expect(data).toEqual({ registryLedger: null, registrySpend: null, registryProofs: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('LEDGER_UNAVAILABLE'));
    // A settlement must not be reported as successful.
    const settle = `mutation { settleRegistryBilling(input: [{ id: "${ledgerId}", billing: CHARGED }]) { id } }`;
    const changed = await padron.ask(settle);
    expect([changed.data, changed.errors?.[0].extensions.code]).toEqual([
      { settleRegistryBilling: null },
      'LEDGER_UNAVAILABLE',
    ]);
    for (const { message } of [...(errors ?? []), ...(changed.errors ?? [])])
      expect(message).toMatch(/The ledger is unavailable\. Nothing was read/);
    const file = await fetch(before.registryLedger.csvUrl);
    expect([file.status, await file.json()]).toMatchObject([
      503,
      { errors: [{ extensions: { code: 'LEDGER_UNAVAILABLE' } }] },
    ]);

    await rig.cluster.start();
    const entries = async () =>
      (await padron.ask('{ registryLedger { entries { id } } }')).data.registryLedger?.entries;
    await waitUntil(async () => (await entries()) !== undefined, 30_000);
    expect(await entries()).toEqual([{ id: ledgerId }]);
    await padron.stop();
  });

  it('asks a reader whose sum takes too long for a shorter period, while replays continue', async () => {
    const kept = await preparePadron(rig, { REPLAY_SECONDS: '60' });
    const padron = await kept.start();
    await padron.ask(check);
    // A reader waits until the call is closed.
    await padron.ask('{ registryLedger { next } }');
    const client = new Client(kept.environment.DATABASE_URL);
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE ledger_entries IN ACCESS EXCLUSIVE MODE');
      const { errors } = await padron.ask('{ registrySpend { units } }');
      expect(errors?.[0]).toMatchObject({
        message: expect.stringMatching(/^The ledger did not answer in time\. .*Ask for a shorter period/),
        extensions: { code: 'LEDGER_UNAVAILABLE' },
      });
      expect((await padron.ask(check)).data.person.credit.outcome).toBe('FOUND');
    } finally {
      await client.end();
      await padron.stop();
    }
  });
});
