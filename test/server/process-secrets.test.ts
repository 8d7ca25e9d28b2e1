import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { post } from '../support/padrons/padron';
import { LONG_SECRET } from '../support/padrons/settings';
import { startProcess } from '../support/processes/process';
import { type Received, startReceiver } from '../support/proxies/receiver';
import { nss } from '../support/requests/credit-request';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { engineRig } from '../support/stores/engines';

const [oldSecret, newSecret] = [3, 4].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
];
const operation = 'query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const createBatch = (key: string) => `mutation { createRegistryBatch(
  input: { operation: "${operation}", key: "${key}", rows: [{ nss: "${nss}" }] }) { problems { path } } }`;
const buy = `{ person(nss: "${nss}") { credit { outcome } } }`;

/** Returns which of the two secrets have signed an event. */
function signersOf({ headers, body }: Received): readonly boolean[] {
  return [oldSecret, newSecret].map((secret) => {
    try {
      return new Webhook(secret).verify(body, headers as Record<string, string>) !== null;
    } catch {
      return false;
    }
  });
}

describe('a process whose secrets are in files, as Kubernetes mounts them', () => {
  const rig = engineRig();
  const service = sandboxForTests();

  /** Writes a version of all files, and then swaps the link of their folder. */
  function mountIn(folder: string) {
    let version = 0;
    return (files: Readonly<Record<string, string>>): void => {
      version += 1;
      mkdirSync(join(folder, `version-${version}`));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `version-${version}`, name), text);
      symlinkSync(`version-${version}`, join(folder, 'next'));
      renameSync(join(folder, 'next'), join(folder, 'data'));
    };
  }

  it('signs with both secrets of a rotation without a restart, says what needs one, and keeps what it has instead of a damaged file', async () => {
    const { environment } = await rig.settings();
    const receiver = await startReceiver(() => 204);
    const folder = rig.folder();
    const mount = mountIn(folder);
    const { DATA_KEYS: keys = LONG_SECRET, ...store } = environment;
    mount({ webhook: oldSecret, keys });
    const padron = startProcess({
      ...{ PORT: '0', REGISTRY_URL: service.url, WEBHOOK_URL: receiver.url, ...store },
      WEBHOOK_SECRET_FILE: join(folder, 'data/webhook'),
      DATA_KEYS_FILE: join(folder, 'data/keys'),
    });
    rig.atEnd(async () => {
      await padron.stop();
      await receiver.close();
    });
    const url = await padron.address();
    const signersAfter = async (key: string) => {
      const count = receiver.received.length;
      expect((await post(url, { query: createBatch(key) })).data.createRegistryBatch.problems).toEqual([]);
      await receiver.until(count + 1);
      return receiver.received.slice(count).map(signersOf);
    };
    const linesWith = (text: string) =>
      padron
        .standardOutput()
        .split('\n')
        .filter((line) => line.includes(text))
        .map((line) => JSON.parse(line));
    expect(await signersAfter('before')).toEqual([[true, false]]);

    mount({ webhook: `${newSecret},${oldSecret}\n`, keys });
    await padron.says('secrets have changed');
    expect(linesWith('secrets')).toMatchObject([{ level: 30, changed: ['WEBHOOK_SECRET'] }]);
    expect(await signersAfter('both')).toEqual([[true, true]]);

    mount({ webhook: ' \n', keys });
    await padron.says('cannot be used');
    expect(await signersAfter('empty')).toEqual([[true, true]]);

    mount({ webhook: newSecret, keys: `${LONG_SECRET}2,${keys}` });
    await padron.says('restart padron');
    expect(await signersAfter('after')).toEqual([[false, true]]);
    expect((await post(url, { query: buy })).data.person.credit.outcome).toBe('FOUND');
    expect(service.calls.filter(({ units }) => units > 0)).toHaveLength(1);

    expect(linesWith('secrets').slice(1)).toMatchObject([
      { level: 40, errors: ['WEBHOOK_SECRET_FILE is an empty file. Write the secret into it, or remove the setting.'] },
      { level: 40, changed: ['DATA_KEYS', 'WEBHOOK_SECRET'], needRestart: ['DATA_KEYS'] },
    ]);
    expect([keys, LONG_SECRET, oldSecret, newSecret].filter((secret) => padron.output().includes(secret))).toEqual([]);
  });
});
