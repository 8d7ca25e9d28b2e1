import { setTimeout as sleep } from 'node:timers/promises';
import { base64Input, byBase64, credentialOf, verifyMutation } from '../../support/keys/signatures';
import { post } from '../../support/padrons/padron';
import { answeredLive, askCredit, sharingRig } from '../../support/padrons/sharing-padrons';
import { startProcess } from '../../support/processes/process';
import { holdResponses } from '../../support/proxies/held-responses';
import { ownServerRig } from '../../support/stores/engines';

const people = 50;
const awayMs = 5_000;

describe('a process that is stopped while its calls run and PostgreSQL is unavailable', () => {
  const own = ownServerRig();
  const rig = sharingRig({ REGISTRY_CONCURRENCY: `${4 * people}` }, own);

  it('writes all that was paid as soon as PostgreSQL answers again', async () => {
    const { settings, proxy, query, calls, second } = rig.padrons;
    const stopping = startProcess(settings());
    own.atEnd(async () => void stopping.child.kill('SIGKILL'));
    const url = await stopping.address();
    const held = holdResponses(proxy);
    const key = { 'idempotency-key': 'stopped-during-an-outage' };
    const person = credentialOf('person');
    const signature = post(url, { query: verifyMutation, variables: { input: base64Input(person) } }, key);
    const asked = Array.from({ length: people }, () => askCredit({ url }, rig.nextPerson()));
    await held.arrived(people + 1);
    await own.cluster.kill();
    stopping.child.kill('SIGTERM');
    held.release();
    expect(await Promise.all(asked)).toEqual(Array.from({ length: people }, () => answeredLive));
    expect((await signature).data.verifySignature.outcome).toBe('FOUND');
    await sleep(awayMs);
    await own.cluster.start();
    expect(await stopping.ended()).toBe(0);
    const sql =
      'SELECT outcome, billing, count(*)::integer AS entries FROM ledger_entries WHERE price > 0 GROUP BY 1, 2';
    expect(await query(sql)).toEqual([{ outcome: 'FOUND', billing: 'CHARGED', entries: people + 1 }]);
    const again = await byBase64(second, person, key);
    expect([again.data?.verifySignature.outcome, again.headers['idempotency-replayed']]).toEqual(['FOUND', 'true']);
    expect(calls()).toBe(people + 1);
  }, 90_000);
});
