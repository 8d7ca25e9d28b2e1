import { GraphQLError } from 'graphql';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import { people } from '../../../src/sandbox/data/people';
import { ErrorFormatter } from '../../../src/server/errors/error-formatter';
import { createLogger, safeStack } from '../../../src/server/telemetry/logger';

const [person] = people;
const SECRET = `about ${person?.curp}`;

const linesOf = () => {
  const lines: string[] = [];
  const log = createLogger('trace', { write: (line) => void lines.push(line) });
  const counted: string[] = [];
  const reports = new ErrorFormatter(buildGraph().schema, log, false, (code) => void counted.push(code));
  return { lines, counted, reports };
};

describe('an internal error', () => {
  it('is reported with the request ID only, and logged without its message', async () => {
    const { lines, counted, reports } = linesOf();
    const bug = new TypeError(SECRET);
    const error = new GraphQLError(SECRET, { originalError: bug, path: ['person', 'credit'] });
    reports.formatAll([error], 'r-1');
    expect(reports.format({ message: SECRET }, error)).toEqual({
      message: 'Internal error. Report request ID r-1 to the operator.',
      path: ['person', 'credit'],
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-1' },
    });
    expect(counted).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      requestId: 'r-1',
      error: { type: 'TypeError', at: expect.arrayContaining([expect.stringContaining('error-formatter.test')]) },
    });
    expect(lines[0]).not.toContain(SECRET);
  });

  it('is masked even if the request is not known', () => {
    const { lines, reports } = linesOf();
    const error = new GraphQLError(`Context creation failed: ${SECRET}`, { originalError: new Error(SECRET) });
    const shown = reports.format({ message: error.message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }, error);
    expect(shown).toEqual({ message: 'Internal error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } });
    expect(lines.join('')).not.toContain(SECRET);
    expect(lines).toHaveLength(1);
  });

  it('leaves no line of its message in the log', () => {
    const { type, at: frames } = safeStack(new RangeError(`first\n    at ${SECRET}\n    at last`));
    expect(type).toBe('RangeError');
    expect(frames[0]).toContain('error-formatter.test');
    expect(frames.join()).not.toContain(SECRET);
  });

  it('can be any value that was thrown', () => {
    expect(safeStack(SECRET)).toEqual({ type: 'string', at: [] });
    expect(safeStack(undefined)).toEqual({ type: 'undefined', at: [] });
  });
});
