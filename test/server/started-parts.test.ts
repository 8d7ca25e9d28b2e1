import { StartedParts } from '../../src/server/start';

describe('the parts of a process', () => {
  it('stop in the reverse order of their start, each after the one before it has stopped', async () => {
    const parts = new StartedParts();
    const events: string[] = [];
    for (const name of ['store', 'calls', 'server']) {
      const part = parts.add({ name }, async (started) => {
        events.push(`${started.name} stops`);
        await new Promise(setImmediate);
        events.push(`${started.name} has stopped`);
      });
      expect(part).toEqual({ name });
    }
    await parts.stop();
    await parts.stop();
    expect(events).toEqual([
      'server stops',
      'server has stopped',
      'calls stops',
      'calls has stopped',
      'store stops',
      'store has stopped',
    ]);
  });

  it('do not include a part that was not started', async () => {
    const parts = new StartedParts();
    const ledger = null as { readonly name: string } | null;
    const stopped: string[] = [];
    expect(parts.add(ledger, async ({ name }) => stopped.push(name))).toBeNull();
    await parts.stop();
    expect(stopped).toEqual([]);
  });
});
