import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the code that writes output', () => {
  const sources = readdirSync(join(__dirname, '../../../src'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.startsWith('extensions/explorer/page') && !file.startsWith('extensions/sandbox'),
    )
    .map((file) => [file, readFileSync(join(__dirname, '../../../src', file), 'utf8')] as const);
  const filesWith = (pattern: RegExp): readonly string[] =>
    sources.filter(([, text]) => pattern.test(text)).map(([file]) => file);

  it('is one class for the log, which accepts names and numbers only', () => {
    expect(filesWith(/from 'pino'/)).toEqual([join('server', 'telemetry', 'logger.ts')]);
    expect(filesWith(/console\.|process\.emitWarning/)).toEqual([]);
  });

  // The command is a separate program, and writes what its user asked for.
  it('is otherwise the greeting and the errors of the start', () => {
    expect(new Set(filesWith(/process\.std(out|err)/))).toEqual(
      new Set([join('cli', 'main.ts'), join('cli', 'program.ts'), 'main.ts']),
    );
  });
});
