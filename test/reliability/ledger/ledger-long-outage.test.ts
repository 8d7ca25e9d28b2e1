import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { storeMigrations } from '../../../src/batch/storage/migrations';
import { Calls } from '../../../src/calls/calls';
import { UnitMeter } from '../../../src/calls/units/unit-meter';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { AccountNames } from '../../../src/ledger/account-names';
import { SubjectIndex } from '../../../src/ledger/subject-index';
import type { Answer } from '../../../src/registry/answer/answer';
import { RegistryClient } from '../../../src/registry/client/client';
import { KeyRing } from '../../../src/store/key-ring';
import { openStore } from '../../../src/store/open-store';
import { DATA_KEY } from '../../support/padrons/budgets';
import { engineRig } from '../../support/stores/engines';

const address = 'POST /api/infonavit/grupo/buscar-credito';
const answer: Answer<unknown> = {
  outcome: 'FOUND',
  payload: null,
  problems: [],
  bytes: 1,
  evidence: {
    validationCode: 'abc',
    endpoint: address,
    status: 200,
    message: null,
    checkedAt: new Date(),
    servedFrom: 'LIVE',
    units: 1,
    billing: 'CHARGED',
    ledgerId: null,
  },
};
const caller = { bearer: 'x', account: 'x', tenant: 'x', sandbox: false, usesServerToken: false, permissions: null };
const count = 25_000;

describe('an outage of the store with more entries than memory may hold', () => {
  const rig = engineRig('postgres');

  it('loses no entry: the others wait in the journal, which is empty afterwards', async () => {
    const dataFolder = rig.folder();
    const lost: number[] = [];
    const changes: string[] = [];
    const store = await openStore({ kind: 'postgres', url: await rig.cluster.createDatabase() }, storeMigrations);
    const keys = new KeyRing([DATA_KEY]);
    const now = (): Date => new Date();
    const client = new RegistryClient({
      url: 'https://registry.example',
      timeoutMs: 1_000,
      concurrency: 1,
      now,
      paths: {},
    });
    const calls = await Calls.start(
      { client, windowMs: 0, callTimeoutMs: 1_000, timeZone: 'America/Mexico_City', now },
      {
        store,
        keys,
        accounts: new AccountNames(keys, 'https://registry.example'),
        subjects: new SubjectIndex(keys),
        dataFolder,
        ledger: 'on',
        service: 'https://registry.example',
        webhook: null,
        onShare: () => undefined,
        observer: {
          keysMissing: () => undefined,
          journalUnavailable: () => undefined,
          journalAvailable: () => undefined,
          eventDelivered: () => undefined,
          eventsFailed: () => undefined,
          failed: () => undefined,
          storeUnavailable: () => void changes.push('unavailable'),
          storeAvailable: () => void changes.push('available'),
          entriesLost: (entries) => void lost.push(entries),
          eventHappened: () => undefined,
          eventNotDelivered: () => undefined,
        },
      },
    );
    const ledger = calls.store?.closer;
    await ledger?.flush();
    await rig.cluster.kill();
    const names = {
      client: null,
      holder: null,
      tag: null,
      purpose: null,
      actor: null,
      reference: null,
      operation: () => 'Outage',
      requestId: 'r',
      batchId: null,
    };
    const request = calls.of(caller, { origin: names, units: new UnitMeter(null), row: null });
    const claimant = { signal: new AbortController().signal, canPay: true, onElsewhere: () => undefined };
    for (let first = 0; first < count; first += 500) {
      const questions = Array.from({ length: 500 }, (_, index) => ({
        endpoint: findCredit,
        question: { nss: String(10_000_000_000 + first + index) },
        input: {},
        price: 1,
        path: null,
      }));
      // Requests arrive in separate turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const opened = await Promise.all(questions.map((question) => request.open(question, null, claimant)));
      // Every hundredth call is not sent.
      opened.forEach((each, index) => {
        if (each.kind !== 'send') return;
        if (index % 100 === 0) each.call.release();
        else each.call.close(answer);
      });
    }
    const entered = count - count / 100;
    expect(calls.store?.state).toMatchObject({ waiting: entered, isStoreUnavailable: true });
    await rig.cluster.start();
    await ledger?.flush();
    expect(
      await store.query(
        'SELECT count(*) AS entries, count(DISTINCT id) AS ids, sum(units) AS units FROM ledger_entries',
      ),
    ).toEqual([{ entries: entered, ids: entered, units: entered }]);
    expect(await store.query('SELECT count(*) AS subjects FROM ledger_subjects')).toEqual([{ subjects: entered }]);
    expect([lost, changes]).toEqual([[], ['unavailable', 'available']]);
    await calls.close();
    await client.close();
    expect(readdirSync(join(dataFolder, 'journal'))).toEqual([]);
    await store.close();
  }, 120_000);
});
