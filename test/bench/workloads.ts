import * as documents from './documents';
import type { Recording } from './rig/recording';

/** One kind of work: the requests that it rotates over, and how many are put. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly bodies: readonly string[];
  /** The same work for a generated graph, where one request can express it. */
  readonly generated: readonly string[] | null;
  /** Requests of one round at 0 ms. */
  readonly count: number;
  /** At once; never so many that two of them ask the same. */
  readonly concurrency: number;
}

export interface Workloads {
  readonly main: readonly [Workload, Workload, Workload, Workload, Workload];
  /** Ten times the aliases of the fourth, over ten times the people. */
  readonly tenfold: Workload;
  readonly inline: Workload;
  readonly crowd: Workload;
  /** Profiles with six calls, each about another person and month. */
  readonly workerProfiles: readonly string[];
}

const body = (operationName: string, query: string, variables: object): string =>
  JSON.stringify({ operationName, query, variables });

export function workloadsOf(recording: Recording): Workloads {
  const numbers = recording.borrowers.map(({ nss }) => nss);
  const oneByOne = (all: readonly string[]) => all.map((nss) => body('Credit', documents.singleCredit, { nss }));
  const { from, to, employers } = recording;
  const years = (name: string, document: string, some = employers) =>
    some.map(({ registration }) => body(name, document, { registration, from, to }));
  const tens = windows(numbers, 10);
  const aliased = documents.aliases(50, 10);
  const generated = documents.generatedAliases(50, 10);
  return {
    main: [
      {
        name: 'W1',
        title: 'single credit',
        bodies: oneByOne(numbers),
        generated: numbers.map((nss) => body('Credit', documents.generatedSingleCredit, { nss: Number(nss) })),
        count: 2_000,
        concurrency: 16,
      },
      {
        name: 'W2',
        title: 'person profile',
        bodies: recording.knownPeople.map(({ nss }) => body('PersonProfile', documents.personProfile, { nss })),
        generated: null,
        count: 500,
        concurrency: 8,
      },
      {
        name: 'W3',
        title: "employer's year with files",
        bodies: years('EmployerYear', documents.employerYear),
        generated: null,
        count: 150,
        concurrency: 4,
      },
      {
        name: 'W4',
        title: '50 aliases over 10 people',
        bodies: tens.map((ten) => body('Aliases50', aliased, numbered(ten))),
        generated: tens.map((ten) => body('Aliases50', generated, numbered(ten.map(Number)))),
        count: 200,
        concurrency: 4,
      },
      {
        name: 'W5',
        title: '100 entities over 20 people',
        bodies: windows(numbers, 20).map((some) => body('Entities', documents.entities, representations(some, 100))),
        generated: null,
        count: 150,
        concurrency: 4,
      },
    ],
    tenfold: {
      name: 'W4 × 10',
      title: '500 aliases over 100 people',
      bodies: windows(numbers, 100).map((hundred) =>
        body('Aliases500', documents.aliases(500, 100), numbered(hundred)),
      ),
      generated: null,
      count: 20,
      concurrency: 1,
    },
    inline: {
      name: 'inline',
      title: "employer's year with its files inline, 200 kB each",
      bodies: years('EmployerYearInline', documents.employerYearInline, recording.inlineEmployers),
      generated: null,
      count: 12,
      concurrency: 2,
    },
    crowd: {
      name: 'crowd',
      title: '5,000 requests waiting at once',
      bodies: oneByOne(recording.crowd),
      generated: null,
      count: recording.crowd.length,
      concurrency: recording.crowd.length,
    },
    workerProfiles: recording.knownPeople.map(({ nss }, index) => {
      const registration = employers[index % employers.length]?.registration;
      const month = `${from.slice(0, 5)}${String((Math.floor(index / employers.length) % 12) + 1).padStart(2, '0')}`;
      return body('WorkerProfile', documents.workerProfile, { nss, registration, month });
    }),
  };
}

/** Returns as many disjoint groups as possible. */
function windows<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.floor(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

const numbered = (values: readonly unknown[]): object =>
  Object.fromEntries(values.map((value, index) => [`n${index}`, value]));

function representations(numbers: readonly string[], count: number): object {
  const entity = (index: number) => ({ __typename: 'Person', nss: numbers[index % numbers.length] });
  return { representations: Array.from({ length: count }, (_, index) => entity(index)) };
}
