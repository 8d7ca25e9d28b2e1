import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres';
import { record } from './recording';
import { Rig, type Running } from './rig';
import { floor, padron } from './systems';
import { workloadsOf } from './workloads';
import { median } from './statistics';
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
async function main() {
  const [roundsText = '9', countText = '1500', ...builds] = process.argv.slice(2);
  const rec = await record();
  const w = workloadsOf(rec).main[0]!;
  const rig = await Rig.start(rec);
  const cluster = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'ab-'));
  const all: Running[] = [];
  try {
    const teacher = await rig.launch(floor);
    await rig.learn(teacher, w);
    await teacher.server.end();
    const DATA_KEYS = '0123456789abcdef'.repeat(3);
    for (const build of builds) {
      const name = build.split('/').pop()!;
      const prof = process.env.PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROF}`] : [];
      const [kinds] = [(process.env.KINDS ?? 'off,pg,emb').split(',')];
      if (kinds.includes('off')) all.push(await rig.launch(padron(`${name} off`, build, {}), prof));
      if (kinds.includes('pg')) all.push(await rig.launch(padron(`${name} pg`, build, { DATABASE_URL: await cluster.createDatabase(), DATA_KEYS, DATA_DIR: join(folder, name + 'pg') }), prof));
      if (kinds.includes('emb')) all.push(await rig.launch(padron(`${name} emb`, build, { DATA_KEYS, DATA_DIR: join(folder, name + 'emb') }), prof));
    }
    const figures = all.map((): number[] => []);
    await rig.latency(0);
    for (const r of all) await rig.put(r, w, 12_000);
    await sleep(1500);
    for (let round = 0; round < Number(roundsText); round++)
      for (let t = 0; t < all.length; t++) {
        const i = (t + round) % all.length;
        const r = all[i]!;
        const before = (await r.server.usage()).cpuMs;
        await rig.put(r, w, Number(countText));
        await sleep(r.system.name.endsWith('off') ? 300 : 1400);
        figures[i]!.push((((await r.server.usage()).cpuMs - before) * 1000) / Number(countText));
      }
    const off = all.findIndex(({ system }) => system.name.endsWith('off'));
    all.forEach(({ system }, i) => {
      const f = figures[i]!;
      const sorted = [...f].sort((a, b) => a - b);
      const ratios = f.map((x, k) => x / (figures[off]?.[k] ?? x));
      console.log(system.name.padEnd(14), 'median', median(f).toFixed(0), 'q1', sorted[Math.floor((sorted.length - 1) / 4)]!.toFixed(0), 'min', sorted[0]!.toFixed(0), 'ratio', median(ratios).toFixed(3));
    });
  } finally {
    await Promise.all(all.map(({ server }) => server.end()));
    await rig.end();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
main().catch((e) => { console.error(e); process.exitCode = 1; });
