import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { openStore } from '../../../src/store/open-store';
import { runPadron } from '../../support/padrons/padron';
import { askPriced, type PricedAnswer } from '../../support/requests/money';
import { waitForMetric } from '../../support/requests/scrape-metrics';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../support/stores/engines';
import { storeMigrations } from '../../support/stores/store-migrations';

const query =
  'query Full($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code retryable retryAfter } evidence { billing } } } }';

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
(isRoot ? describe : describe.skip)('a DATA_DIR whose disk is full', () => {
  const rig = engineRig('embedded');
  const service = sandboxForEachTest();

  it('refuses each paid call whose entry does not fit, free, and reports it, until there is space again', async () => {
    const disk = mountDisk(120);
    rig.atEnd(async () => disk.remove());
    const environment = { DATA_DIR: disk.folder, REGISTRY_TIMEOUT_MS: '2000' };
    const padron = await runPadron({ environment, registryUrl: () => service.url });
    rig.atEnd(() => padron.stop());
    let asked = 0;
    const ask = (): Promise<PricedAnswer> => {
      asked += 1;
      return askPriced(padron, { query, variables: { nss: people[asked % people.length]?.nss } });
    };
    const readiness = async (): Promise<{ readonly ledgerStore: string }> =>
      (await fetch(new URL('/health/ready', padron.url))).json() as Promise<{ readonly ledgerStore: string }>;
    const outcomeOf = ({ data }: PricedAnswer): string => data?.person.credit.outcome;
    expect(outcomeOf(await ask())).not.toBe('NOT_RUN');
    disk.fill();
    // What is written at first fits into files that the store has already. After a refused call, what the store writes for itself may fit.
    let answer = await ask();
    let refused = 0;
    let ready = 'available';
    for (let call = 0; call < 300 && ready === 'available'; call += 1) {
      answer = await ask();
      if (outcomeOf(answer) !== 'NOT_RUN') continue;
      refused += 1;
      ready = (await readiness()).ledgerStore;
    }
    expect(ready).toBe('unavailable');
    expect(answer.data?.person.credit).toEqual({
      outcome: 'NOT_RUN',
      problems: [{ code: 'LEDGER_UNAVAILABLE', retryable: true, retryAfter: expect.any(Number) }],
      evidence: { billing: 'NOT_CHARGED' },
    });
    expect([answer.units?.spent, answer.units?.uncertain, service.calls.length]).toEqual([0, 0, asked - refused]);
    disk.free();
    await waitForMetric(padron, 'padron_ledger_store_away', 0);
    expect(await readiness()).toMatchObject({ ledgerStore: 'available' });
    expect(outcomeOf(await ask())).not.toBe('NOT_RUN');
    await padron.stop();
    const store = await openStore({ kind: 'folder', path: disk.folder }, storeMigrations);
    const sums = await store.query(
      `SELECT sum(units) AS spent, sum(price) FILTER (WHERE billing = 'UNKNOWN') AS uncertain FROM ledger_entries`,
    );
    await store.close();
    expect(sums).toEqual([{ spent: service.spent(SANDBOX_TOKEN), uncertain: null }]);
  });
});
