import { padronCommand } from '../support/processes/padron-command';

describe('the commands of padron', () => {
  it.each(['chek', '--version'])('are listed if %s is given instead of one', async (name) => {
    const { code, output, text } = await padronCommand([name]);
    expect([code, output]).toEqual([2, '']);
    expect(text).toContain(`\`${name}\` is not a command. Commands: batch, check, price, reconcile, spend.`);
  });

  it('are described by --help', async () => {
    const { code, text } = await padronCommand(['--help']);
    expect(code).toBe(0);
    for (const name of ['batch', 'check', 'price', 'reconcile', 'spend']) expect(text).toContain(`padron ${name}`);
  });
});
