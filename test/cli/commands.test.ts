import { readFileSync } from 'node:fs';
import { builtCommand, padronCommand } from '../support/processes/padron-command';

const names = ['start', 'check', 'trigger', 'price', 'batch', 'verify', 'spend', 'reconcile'];

describe('the commands of padron', () => {
  it.each([[[]], [['--help']]])('are listed with one line each for %j', async (args) => {
    const { code, output, text } = await builtCommand(args);
    expect([code, text]).toEqual([0, '']);
    expect([...output.matchAll(/^ {2}(\w+) +\w.{20,}$/gm)].map(([, name]) => name)).toEqual(names);
  });

  it.each(['chek', '-V', 'toString'])('are named in one line of help if %s is given instead of one', async (name) => {
    expect(await padronCommand([name])).toEqual({
      code: 2,
      output: '',
      text: `\`${name}\` is not a command.\n\`padron --help\` lists the commands.\n`,
    });
  });

  it.each([
    ['check', '--jsn'],
    ['trigger', 'batch.don'],
    ['price', '--max-units', 'x'],
    ['batch', 'a.csv'],
    ['spend', '--by', 'week'],
    ['reconcile', '--settle'],
  ])('name the error and where the help is, in two lines: %s %s', async (name, ...args) => {
    const { code, output, text } = await padronCommand([name, ...args]);
    expect([code, output]).toEqual([2, '']);
    expect(text).toMatch(new RegExp(`^[^\n]+\n\`padron ${name} --help\` lists the arguments\\.\n$`));
  });

  it('are of a version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(await builtCommand(['--version'])).toMatchObject({ code: 0, output: `${version}\n` });
  });

  it.each(names)('explain themselves: %s --help', async (name) => {
    const { code, output } = await padronCommand([name, '--help']);
    expect([code, output]).toEqual([0, expect.stringMatching(`^padron ${name}`)]);
  });

  it('refuse arguments of start, whose settings are in the environment', async () => {
    const { code, text } = await builtCommand(['start', '--port', '4310']);
    expect([code, text]).toEqual([2, expect.stringContaining('`start` has no arguments.')]);
  });
});
