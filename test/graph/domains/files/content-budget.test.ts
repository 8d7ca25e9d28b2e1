import { DOWNLOAD, LINK, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

const maxBytes = 8_000_000;
const period = monthWith(1);
const folio = receiptsIn(payer, period)[0]?.folio;
const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `n${index}: ${field}`).join(' ');

const padron = padronForTests({ now: () => NOW, environment: { LIMIT_ALIASES: '10000' } });

const repeated = `fragment repeated on RegistryFile { ${aliases(100, 'content')} }`;

const askPdf = async (selection: string, inline: boolean, fragment = '') => {
  const { data, errors } = await padron.ask(
    `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!, $inline: Boolean) { employer(registration: $r) {
      receiptFiles(period: $p, folio: $f, inline: $inline) { outcome ${selection} } } } ${fragment}`,
    { r: payer.registration, p: period, f: folio, inline },
  );
  expect(errors).toBeUndefined();
  return data.employer.receiptFiles;
};

describe('the limit of file contents in one response', () => {
  it.each([
    ['inline', true, [DOWNLOAD]],
    ['by link', false, [DOWNLOAD, LINK]],
  ])('counts each copy of a file that is selected several times, %s', async (_, inline, calls) => {
    const { outcome, first, ...files } = await askPdf(
      `first: pdf { sizeBytes } ${aliases(60, 'pdf { ...repeated contentProblem { code } }')}`,
      inline,
      repeated,
    );
    expect(outcome).toBe('FOUND');
    // Counted, not compared: a failure must not print megabytes.
    const places = Object.values<Record<string, unknown>>(files).map(({ contentProblem, ...copies }) => ({
      problem: contentProblem,
      room: Object.values(copies).filter((content) => content !== null).length,
    }));
    const room = Math.floor(maxBytes / first.sizeBytes);
    expect(places.reduce((sum, place) => sum + place.room, 0)).toBe(room);
    for (const place of places) {
      expect(place.problem).toEqual(place.room === 100 ? null : { code: 'ANSWER_TOO_LARGE' });
    }
    expect(places.filter(({ problem }) => problem === null)).toHaveLength(Math.floor(room / 100));
    expect(padron.calls()).toEqual(calls);
  });

  it('does not count a field that only asks whether a file is available', async () => {
    const file = await askPdf('pdf { contentProblem { code } }', false);
    expect(file.pdf).toEqual({ contentProblem: null });
  });
});
