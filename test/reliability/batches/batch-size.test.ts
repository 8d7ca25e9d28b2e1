import { engineRig } from '../../support/stores/engines';
import { runWholeBatch } from './whole-batch';

const rows = 100_000;
const maxUnits = 2_000;
/** Heap limit of docs/batch.md. Without a limit, V8 keeps garbage while the machine has memory, and the test would measure that. */
const heapMegabytes = 256;
const maxMegabytes = 400;

// `npm run reliability -- --batch` measures both stores. With PostgreSQL the process needs half as much.
describe('100,000 rows on the embedded store', () => {
  const rig = engineRig('embedded');

  it('are loaded, priced, started and downloaded within 400 MB', async () => {
    const { environment } = await rig.settings();
    const result = await runWholeBatch({ rows, distinct: rows, maxUnits, heapMegabytes, environment });
    expect(result).toMatchObject({
      state: 'PAUSED',
      estimated: rows,
      spent: maxUnits,
      uncertain: 0,
      calls: maxUnits,
      charged: maxUnits,
      jsonLines: rows,
      csvLines: rows + 1,
      xlsxRows: rows + 1,
    });
    expect(result.steps.filter(({ megabytes }) => megabytes >= maxMegabytes)).toEqual([]);
  }, 400_000);
});
