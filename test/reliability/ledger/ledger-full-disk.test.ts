import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { preparePadron } from '../../support/padrons/ledger';
import type { RunningPadron } from '../../support/padrons/padron';
import { waitForMetric } from '../../support/requests/scrape-metrics';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const query = 'query Full($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const fullSeconds = 5;

/** Mounts a small disk that can be filled and freed. */
function mountDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'padron-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(65_536), { flag: 'a' });
      } catch {
        // The disk is full.
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRoot = process.getuid?.() === 0;

/** Only root can mount a disk. */
(isRoot ? describe : describe.skip).each(engines)(
  'a DATA_DIR whose disk is full for five seconds, on the %s engine',
  (engine) => {
    const rig = engineRig(engine);
    const service = sandboxForEachTest();

    const load = async (padron: RunningPadron, isOver: () => boolean): Promise<void> => {
      for (let turn = 0; !isOver(); turn += 1) {
        await padron.ask(query, { nss: people[turn % people.length]?.nss }).catch(() => undefined);
        await sleep(20);
      }
    };

    it.each(['on', 'required'])(
      'loses no charge with LEDGER=%s, and calls continue',
      async (LEDGER) => {
        const disk = mountDisk(120);
        rig.atEnd(async () => disk.remove());
        const prepared = await preparePadron(rig, { LEDGER, DATA_DIR: disk.folder, REPLAY_SECONDS: '0' });
        const store = engine === 'embedded' ? ({ kind: 'folder', path: disk.folder } as const) : prepared.store;
        const padron = await prepared.start({ registryUrl: () => service.url });
        let isOver = false;
        const clients = [1, 2, 3].map(() => load(padron, () => isOver));
        await sleep(1_000);
        disk.fill();
        const before = service.calls.length;
        await sleep(fullSeconds * 1_000);
        const meanwhile = service.calls.length - before;
        disk.free();
        await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
        await waitForMetric(padron, 'padron_ledger_journal_broken', 0, 20);
        const after = service.calls.length;
        await sleep(1_000);
        isOver = true;
        await Promise.all(clients);
        expect(service.calls.length).toBeGreaterThan(after + 5);
        // Calls wait for space only if each must be in an embedded store first.
        if (engine === 'postgres' || LEDGER === 'on') expect(meanwhile).toBeGreaterThan(25);
        await padron.stop();
        const [sums] = await prepared.readFrom(store, (opened) =>
          opened.query('SELECT sum(units) AS spent, count(*) AS entries FROM ledger_entries WHERE served_from = $1', [
            'LIVE',
          ]),
        );
        expect(sums).toEqual({ spent: service.spent(SANDBOX_TOKEN), entries: service.calls.length });
        const said = (text: string): number => padron.log.filter((line) => line.includes(text)).length;
        expect(said('the journal in DATA_DIR cannot be written')).toBe(
          said('the journal in DATA_DIR can be written again'),
        );
        if (engine === 'postgres' || LEDGER === 'on')
          expect(said('the journal in DATA_DIR cannot be written')).toBeGreaterThan(0);
        if (engine === 'embedded') expect(said('the store of the ledger is unavailable')).toBeGreaterThan(0);
        expect(said('the store of the ledger is unavailable')).toBe(said('the store of the ledger is available again'));
      },
      90_000,
    );
  },
);
