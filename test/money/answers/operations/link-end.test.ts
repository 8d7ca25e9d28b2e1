import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { payer, receiptsIn } from '../../../support/operations/employer-graph';
import { STATUS } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { startProxy, type Tamper } from '../../../support/proxies/tampering-proxy';
import { askPriced, priceOf } from '../../../support/requests/money';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../../support/stores/engines';
import { newOperation, sumsOf } from './operation';

const minute = 60_000;
const headers = { 'x-max-age': '30d' };
const filesOf = ({ registration }: typeof payer, inline: boolean) => `{ employer(registration: "${registration}") {
  lookup: receiptFiles(period: "2025-02", folio: "${receiptsIn(payer, '2025-02')[0]?.folio}", inline: ${inline}) {
    outcome evidence { servedFrom } xml { content } } } }`;
const status = `{ person(curp: "${somebody.curp}") { lookup: professionalStatus { outcome evidence { servedFrom } } } }`;

describe('an answer that may have an age', () => {
  const rig = engineRig();
  const service = sandboxForTests();
  let elapsed = 0;
  let padron: RunningPadron;
  let tamper: Tamper | null = null;
  const ask = async (query: string) => {
    const price = (await priceOf(padron, { query }, headers)).estimatedUnits;
    const { data, units, errors } = await askPriced(padron, { query }, headers);
    expect(errors).toBeUndefined();
    const { outcome, evidence } = (data.employer ?? data.person).lookup;
    expect(outcome).toBe('FOUND');
    // Reading sums waits until the call is closed in the store, so that the next price finds its answer.
    if (evidence.servedFrom === 'LIVE') await sumsOf(padron, newOperation());
    return { servedFrom: evidence.servedFrom, price, spent: units?.spent };
  };
  const bought = (units: number) => ({ servedFrom: 'LIVE', price: units, spent: units });
  const kept = { servedFrom: 'KEPT', price: 0, spent: 0 };

  beforeEach(async () => {
    elapsed = 0;
    tamper = null;
    const proxy = await startProxy(service.url);
    rig.atEnd(() => proxy.close());
    proxy.tamper((answer, request) => tamper?.(answer, request) ?? null);
    const environment = { REPLAY_SECONDS: '0', REUSE_DAYS: '30', REGISTRY_TOKEN: SANDBOX_TOKEN };
    const prepared = await preparePadron(rig, environment);
    padron = await prepared.start({ registryUrl: () => proxy.url, now: () => new Date(Date.now() + elapsed) });
    service.clearCalls();
  });

  it('ends with the links of its files, and is asked again at the price that was shown', async () => {
    expect(await ask(filesOf(payer, false))).toEqual(bought(1));
    elapsed = 50 * minute;
    expect(await ask(filesOf(payer, false))).toEqual(kept);
    elapsed = 61 * minute;
    expect(await ask(filesOf(payer, false))).toEqual(bought(1));
  });

  it('stays after that if it contains its files', async () => {
    expect(await ask(filesOf(payer, true))).toEqual(bought(1));
    elapsed = 61 * minute;
    expect(await ask(filesOf(payer, true))).toEqual(kept);
  });

  it('ends with the `expires` of the link of a professional status', async () => {
    expect(await ask(status)).toEqual(bought(2));
    elapsed = 50 * minute;
    expect(await ask(status)).toEqual(kept);
    elapsed = 25 * 60 * minute;
    expect(await ask(status)).toEqual(bought(2));
  });

  it('ends after a minute if that link does not say when it ends', async () => {
    tamper = ({ json }, { path }) => {
      if (!STATUS.endsWith(path)) return null;
      const { data, ...body } = json as { readonly data: object };
      return { json: { ...body, data: { ...data, url_constancia: 'http://127.0.0.1/constancia?signature=x' } } };
    };
    expect(await ask(status)).toEqual(bought(2));
    elapsed = 2 * minute;
    expect(await ask(status)).toEqual(bought(2));
  });
});
