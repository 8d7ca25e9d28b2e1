import { readOpinion } from '../../../../src/graph/domains/opinion/read-opinion';

const title = 'Opinión del cumplimiento de obligaciones fiscales en materia de seguridad social';
const fill = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
const inOneCell = (part: string, size: number) => [[title], [fill(part, size)]];
const inCells = (part: string, count: number) => [[title], ...Array.from({ length: count }, () => [part])];

/** Processor time in milliseconds, the least of five, since other work on the machine can only add to it. */
function cost(lines: readonly (readonly string[])[]): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const before = process.cpuUsage();
    // Readings of the same lines are remembered.
    expect(readOpinion([...lines])).toBeNull();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

describe('an opinion whose text is made to be expensive to read', () => {
  it.each([
    '||Invocante:',
    '||Invocante:a|RFC:EKU9003173C9||',
    'vigencia hasta el 16/09/2026.',
    'se emite opinión ',
    'no ',
    '$ ',
  ])('is read quickly with a long text: %s', (part) => {
    // Alone it takes 20 ms at most. A machine that shares its processors takes more, and backtracking takes seconds.
    expect(cost(inOneCell(part, 99_000))).toBeLessThan(200);
    expect(cost(inOneCell(part, 300_000))).toBeLessThan(200);
  });

  it.each(['||Invocante:', 'Fecha: 16/09/2026', 'Folio: 1', 'RFC: EKU9003173C9', '1.00', 'a'])(
    'is read quickly with thousands of cells: %s',
    (part) => {
      // Alone it takes 40 ms at most; jest and a busy machine take more.
      expect(cost(inCells(part, 5_500))).toBeLessThan(150);
    },
  );
});
