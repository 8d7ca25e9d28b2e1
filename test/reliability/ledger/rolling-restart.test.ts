import { rollingRestart } from '../../bench/reliability/several-rows';

describe('three instances with a store between them', () => {
  it('pay once while they are restarted in turn', async () => {
    const { paid, needed, spent, uncertain } = await rollingRestart(3, 3);
    expect({ paid, spent, uncertain }).toEqual({ paid: needed, spent: needed, uncertain: 0 });
    expect(needed).toBeGreaterThan(20);
  }, 120_000);
});
