import { setTimeout as sleep } from 'node:timers/promises';
import { THROTTLED_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { waitUntil } from '../../support/proxies/deferred';
import { askLicence, askLicences, askPersistently, type LicenceAnswer } from './licence-questions';
import { type Sharing, settle, withSharing } from './shared-store';

/** Figures of a scenario: units that the service charged, distinct questions, and what the responses reported. */
export interface Paid {
  readonly paid: number;
  readonly needed: number;
  readonly spent: number;
  readonly uncertain: number;
}

const distinct = ({ sandbox }: Pick<Sharing, 'sandbox'>): number =>
  new Set(sandbox.calls.map(({ input }) => JSON.stringify(input))).size;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

function figures({ paid }: Pick<Sharing, 'paid'>, needed: number, answers: readonly LicenceAnswer[]): Paid {
  const sum = (of: (answer: LicenceAnswer) => number): number =>
    answers.reduce((total, answer) => total + of(answer), 0);
  return { paid: paid(), needed, spent: sum(({ spent }) => spent), uncertain: sum(({ uncertain }) => uncertain) };
}

/** Thirty questions, each six times at the same moment, and once more when all is answered. */
export function fanOut(count: number): Promise<Paid> {
  return withSharing({ count }, async (sharing) => {
    sharing.setDelay(150);
    // Beside each other, so that a balancer deals them out to all instances.
    const all = numbers(30 * 6).map((index) => Math.floor(index / 6));
    const answers = await Promise.all(all.map((index) => askPersistently(sharing.url, index)));
    for (const index of all) answers.push(await askPersistently(sharing.url, index));
    return figures(sharing, 30, answers);
  });
}

/** Clients that give up after 350 ms and ask again, of a service that takes much longer. */
export function impatientClients(count: number): Promise<Paid> {
  return withSharing({ count }, async (sharing) => {
    sharing.setDelay(2_000);
    const asked = numbers(13).map((index) => askPersistently(sharing.url, index, { patienceMs: 350 }));
    return figures(sharing, 13, await Promise.all(asked));
  });
}

/** The instance that asks is killed while the service answers; the clients ask the rest, and once more after that. */
export function killedInCall(count: number): Promise<Paid> {
  return withSharing({ count }, async (sharing) => {
    sharing.setDelay(1_500);
    const broken = numbers(6).map((index) => askLicence(sharing.urlOf(0), index));
    await waitUntil(() => sharing.calls() === 6);
    await sharing.kill(0);
    sharing.setDelay(100);
    if (count === 1) await sharing.start(0);
    const answers = (await Promise.all(broken)).filter((answer) => answer !== null);
    for (let round = 0; round < 2; round += 1) {
      answers.push(...(await Promise.all(numbers(6).map((index) => askPersistently(sharing.url, index)))));
    }
    return figures(sharing, 6, answers);
  });
}

/** Instances are stopped and started in turn, so many times, while clients ask what was asked before and what is new. */
export function rollingRestart(count: number, restarts = Math.max(3, count)): Promise<Paid> {
  return withSharing({ count }, async (sharing) => {
    sharing.setDelay(100);
    const answers: LicenceAnswer[] = [];
    let asked = 0;
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        // Every third question is a new one, and the rest are among those asked last.
        if (answers.length % 3 === 0) asked += 1;
        answers.push(await askPersistently(sharing.url, Math.max(0, asked - (answers.length % 20))));
      }
    };
    const clients = Promise.all(numbers(8).map(client));
    for (let turn = 0; turn < restarts; turn += 1) {
      await sleep(500);
      await sharing.terminate(turn % count);
      await sharing.start(turn % count);
    }
    isOver = true;
    await clients;
    return figures(sharing, distinct(sharing), answers);
  });
}

/** The most calls at once where four are allowed. */
export function callsAtOnce(count: number): Promise<number> {
  return withSharing({ count, settings: { REGISTRY_CONCURRENCY: '4' } }, async (sharing) => {
    await settle();
    sharing.setDelay(150);
    await Promise.all(numbers(36).map((index) => askPersistently(sharing.url, index)));
    return sharing.proxy.maxConcurrent('sandbox-token');
  });
}

/** An account with two calls a minute: calls for two questions asked three times each, and for a third one, asked as often. */
export function throttledAccount(count: number): Promise<{ readonly allowed: number; readonly refused: number }> {
  // The minute does not end meanwhile.
  const clock = (): Date => new Date('2026-11-20T12:00:05Z');
  return withSharing({ count, sandbox: { clock } }, async (sharing) => {
    const headers = { authorization: `Bearer ${THROTTLED_TOKEN}` };
    const thrice = (indices: readonly number[]) => indices.flatMap((index) => [index, index, index]);
    for (const index of thrice([0, 1])) await askPersistently(sharing.url, index, { headers });
    const allowed = sharing.calls();
    for (const index of thrice([2])) await askPersistently(sharing.url, index, { headers });
    return { allowed, refused: sharing.calls() - allowed };
  });
}

/** One operation of nine units that a router sends as three requests, where three units are allowed. */
export function splitOperation(count: number, settings: Readonly<Record<string, string>>, headers = {}): Promise<Paid> {
  return withSharing({ count, settings }, async (sharing) => {
    sharing.setDelay(100);
    const parts = [0, 3, 6].map((index) => [index, index + 1, index + 2]);
    const identified = { headers: { ...headers, 'x-operation-id': 'operation-of-a-router' } };
    const answers = await Promise.all(parts.map((part) => askLicences(sharing.url, part, identified)));
    return figures(
      sharing,
      3,
      answers.flatMap((answer) => answer ?? []),
    );
  });
}

/** One question whose every asker is killed while the service answers: how often the service is asked for it. */
export function deadlyQuestion(
  askers: number,
  count: number,
): Promise<{ readonly calls: number; readonly problems: readonly string[] }> {
  return withSharing({ count }, async (sharing) => {
    sharing.setDelay(60_000);
    for (let turn = 0; turn < askers; turn += 1) {
      const before = sharing.calls();
      let isOver = false;
      const asked = askLicence(sharing.urlOf(turn % count), 0, { patienceMs: 15_000 }).finally(() => {
        isOver = true;
      });
      while (sharing.calls() === before && !isOver) await sleep(10);
      // An instance that refuses to ask once more is not killed.
      const refusal = isOver ? await asked : null;
      if (refusal !== null) return { calls: sharing.calls(), problems: refusal.problems };
      await sharing.kill(turn % count);
      await sharing.start(turn % count);
    }
    return { calls: sharing.calls(), problems: [] };
  });
}
