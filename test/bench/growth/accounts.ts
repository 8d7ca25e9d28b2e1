import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { purgeLedger } from '../../../src/money/ledger/entries/ledger-purge';
import { openStore } from '../../../src/store/open-store';
import { storeMigrations } from '../../support/stores/store-migrations';
import { grouped, megabytes, milliseconds, type Table } from '../report';
import type { AccountResult } from '../rig/account-load';
import type { Rig } from '../rig/rig';
import { Site } from './site';

const [accounts, callsPerDay, peakFactor] = [1_000, 10_000_000, 5];
const averagePerSecond = callsPerDay / 86_400;
const peakPerSecond = Math.round(averagePerSecond * peakFactor);
const [warmUpMs, ms] = [10_000, 60_000];
/** Purges delete the entries after LEDGER_MONTHS and the links to people after SUBJECT_MONTHS. */
const [entryDays, linkDays] = [60 * 30.4, 24 * 30.4];

/** Measures a minute of the peak of many accounts, and extrapolates it to their days, months and years. */
export async function simulateAccounts(rig: Rig, build: string): Promise<Table> {
  await rig.latency(20);
  const site = await Site.start(rig, build, 2);
  try {
    const urls = site.servers.map(({ url }) => url);
    const job = { urls, accounts, concurrency: 400, perSecond: peakPerSecond };
    await site.load.ask({ ...job, firstPerson: 0, ms: warmUpMs, perSecond: peakPerSecond / 4 });
    const before = { ...(await site.cpuMs()), ...(await sizesOf(site)) };
    const result = await site.load.ask<AccountResult>({ ...job, firstPerson: 500_000, ms });
    await sleep(1_500);
    const after = { ...(await site.cpuMs()), ...(await sizesOf(site)) };
    const ofCall = (figure: 'padron' | 'postgres' | 'entries' | 'links'): number =>
      (after[figure] - before[figure]) / result.calls;
    const purgedPerSecond = await measurePurge(site.url);
    const [entryBytes, linkBytes] = [ofCall('entries'), ofCall('links')];
    const cores = (cpuMs: number, perSecond: number): string => `${((cpuMs * perSecond) / 1_000).toFixed(2)} cores`;
    const load = (cpuMs: number): string =>
      `${cores(cpuMs, averagePerSecond)} on average, ${cores(cpuMs, peakPerSecond)} at the peak`;
    const disk = (bytes: number, days: number): string =>
      `${((bytes * callsPerDay) / 1e9).toFixed(1)} GB a day, ${((bytes * callsPerDay * days) / 1e12).toFixed(1)} TB`;
    return {
      title: `${grouped(accounts)} accounts with ${grouped(callsPerDay)} calls a day`,
      head: ['', 'measured', 'extrapolated'],
      rows: [
        ['calls a second', `${grouped(result.perSecond)} of ${grouped(peakPerSecond)}`, '–'],
        [
          'latency, with a service that takes 20 ms',
          `median ${milliseconds(result.p50Ms)}, 95 of 100 ${milliseconds(result.p95Ms)}`,
          '–',
        ],
        ['CPU of padron', `${ofCall('padron').toFixed(2)} ms a call`, load(ofCall('padron'))],
        ['CPU of PostgreSQL', `${ofCall('postgres').toFixed(2)} ms a call`, load(ofCall('postgres'))],
        ['entries, kept for 60 months', `${grouped(entryBytes)} bytes a call`, disk(entryBytes, entryDays)],
        ['links to people, kept for 24 months', `${grouped(linkBytes)} bytes a call`, disk(linkBytes, linkDays)],
        ['shared answers, kept for 30 seconds', megabytes(after.answers), '–'],
        [
          'purge',
          `${grouped(purgedPerSecond)} calls a second`,
          `${grouped(callsPerDay / purgedPerSecond / 60)} minutes for the calls of a day`,
        ],
      ],
    };
  } finally {
    await site.end();
  }
}

async function sizesOf(site: Site) {
  const [entries, links] = [await site.bytes('ledger_entries'), await site.bytes('ledger_subjects')];
  const answers = (await site.bytes('answers_brief')) + (await site.bytes('answer_contents_brief'));
  return { entries, links, answers };
}

/** Deletes all entries and their links as an hourly purge does. */
async function measurePurge(url: string): Promise<number> {
  const store = await openStore({ kind: 'postgres', url }, storeMigrations);
  const rows = await store.query<{ readonly count: number }>('SELECT count(*)::int AS count FROM ledger_entries');
  const start = performance.now();
  const retention = { ledgerMonths: 0, subjectMonths: 0, confirmedDay: null };
  await purgeLedger(store, new AbortController().signal, retention, () => undefined);
  const seconds = (performance.now() - start) / 1_000;
  await store.close();
  return (rows[0]?.count ?? 0) / seconds;
}
