import { CallCloser } from '../../../../src/money/calls/store/call-closer';
import { newProcessName } from '../../../../src/money/ledger/entries/entry-json';
import { type Store, StoreHealth } from '../../../../src/store/store';
import { answeredLive, answeredShared, askCredit, sharingRig } from '../../../support/padrons/sharing-padrons';

const rig = sharingRig({ REGISTRY_TIMEOUT_MS: '1500' });
const { nextPerson } = rig;
const refused = { outcome: 'NOT_RUN', servedFrom: 'NOT_SENT', problems: ['TOO_MANY_CALLS'], spent: 0, uncertain: 0 };

function createCloser(store: Store): CallCloser {
  const ignore = (): void => undefined;
  const health = new StoreHealth({ storeUnavailable: ignore, storeAvailable: ignore });
  const observed = { onEntry: ignore, onLost: ignore, onUnkept: ignore, onBudgets: ignore };
  return new CallCloser({ store, health, processName: newProcessName(), ...observed });
}

describe('a process whose answers wait for the store', () => {
  afterEach(() => jest.restoreAllMocks());

  it('makes no further call for a while, which costs nothing, and still gives the answers that it has', async () => {
    const { first, second, calls } = rig.padrons;
    const [known, nss] = [nextPerson(), nextPerson()];
    expect(await askCredit(second, known)).toEqual(answeredLive);
    jest.spyOn(CallCloser.prototype, 'isFull', 'get').mockReturnValue(true);
    jest.spyOn(CallCloser.prototype, 'room').mockReturnValue(new Promise(() => undefined));
    expect(await askCredit(first, nss)).toEqual(refused);
    expect(await askCredit(first, known)).toEqual(answeredShared);
    expect(calls()).toBe(1);
  });

  it('makes the calls that have waited as soon as there is room', async () => {
    const { first, calls } = rig.padrons;
    const full = jest.spyOn(CallCloser.prototype, 'isFull', 'get').mockReturnValue(true);
    jest.spyOn(CallCloser.prototype, 'room').mockImplementation(async () => void full.mockReturnValue(false));
    expect(await askCredit(first, nextPerson())).toEqual(answeredLive);
    expect(calls()).toBe(1);
  });

  it('counts the answers that wait to be written', async () => {
    let write = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      write = resolve;
    });
    const query = () => written.then(() => []);
    const closer = createCloser({ query } as unknown as Store);
    const closing = {
      id: 'a',
      accounts: ['a'],
      operation: null,
      saved: 0,
      entry: null,
      kept: null,
      shared: { keeps: [], answer: Buffer.alloc(64_000_000) },
    };
    const added = closer.add(closing as unknown as Parameters<CallCloser['add']>[0]);
    expect(closer.isFull).toBe(true);
    const room = closer.room();
    write();
    await Promise.all([added, room]);
    expect(closer.isFull).toBe(false);
    await closer.room();
  });

  it('writes many answers of early responses in several statements', async () => {
    const sizes: number[] = [];
    const query = async (_: string, parameters: readonly unknown[]) => {
      sizes.push(String(parameters.slice(3)).length);
      return [];
    };
    const closer = createCloser({ query } as unknown as Store);
    const shared = {
      names: [],
      keeps: [],
      answer: Buffer.alloc(500_000),
      operations: [],
      unused: 0,
    };
    const early = { accounts: ['a'], operation: null, saved: 0, kept: null, entry: null, shared };
    for (let id = 0; id < 40; id += 1) void closer.add({ ...early, id } as unknown as Parameters<CallCloser['add']>[0]);
    await closer.flush();
    expect(Math.max(...sizes)).toBeLessThan(7_000_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(40 * 500_000);
  });
});
