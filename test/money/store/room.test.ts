import { newProcessName } from '../../../src/money/entries/entry-json';
import { CallCloser } from '../../../src/money/store/call-closer';
import { type Store, StoreHealth } from '../../../src/store/store';
import { answeredLive, answeredShared, askCredit, sharingRig } from '../../support/padrons/sharing-padrons';

const rig = sharingRig({ REGISTRY_TIMEOUT_MS: '1500' });
const { nextPerson } = rig;
const refused = { outcome: 'NOT_RUN', servedFrom: 'NOT_SENT', problems: ['TOO_MANY_CALLS'], spent: 0, uncertain: 0 };

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

  it.each([
    ['shared', (answer: Buffer) => ({ shared: { answer }, kept: null })],
    ['kept by an operation', (answer: Buffer) => ({ shared: null, kept: { answer } })],
  ])('counts answers that are %s', async (_, answered) => {
    let write = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      write = resolve;
    });
    const query = () => written.then(() => []);
    const health = new StoreHealth({ storeUnavailable: () => undefined, storeAvailable: () => undefined });
    const onLost = (): void => undefined;
    const store = { query } as unknown as Store;
    const closer = new CallCloser({
      store,
      health,
      processName: newProcessName(),
      onEntry: onLost,
      onLost,
      onUnkept: onLost,
      onBudgets: onLost,
    });
    const closing = {
      id: 'a',
      accounts: ['a'],
      operation: null,
      saved: 0,
      entry: null,
      ...answered(Buffer.alloc(64_000_000)),
    };
    const added = closer.add(closing as unknown as Parameters<CallCloser['add']>[0]);
    expect(closer.isFull).toBe(true);
    const room = closer.room();
    write();
    await Promise.all([added, room]);
    expect(closer.isFull).toBe(false);
  });
});
