import fc from 'fast-check';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';
import { card } from '../sandbox/cards';
import { unusedRegistration } from '../sandbox/identifiers';
import { receiptsIn } from './employer-graph';
import { definiteFailures, type Part, priced, quickFailures } from './operation-part';

interface Someone {
  readonly registration: string;
  readonly rfc: string;
  readonly folio: string;
  readonly answers: boolean;
}

/** Employers whose record is whole. */
export const paying: readonly Someone[] = employers.slice(0, 3).map((employer) => ({
  registration: employer.registration,
  rfc: employer.rfc,
  folio: receiptsIn(employer, '2025-01')[0]?.folio ?? '1',
  answers: true,
}));
const holdersOf = (failures: readonly Failure[]): readonly Someone[] =>
  [...failures.map((failure) => card(failure, 'registration')), unusedRegistration].map((registration) => ({
    registration,
    rfc: 'H&E951128469',
    folio: '123456',
    answers: false,
  }));

export const failingEmployers = holdersOf(quickFailures);
export const definiteEmployers = holdersOf(definiteFailures);

interface EmployerField {
  readonly text: (employer: Someone) => string;
  readonly direct: boolean;
  readonly buys: readonly string[];
}

const employerFields: Readonly<Record<string, EmployerField>> = {
  snapshots: { text: () => `snapshots { ${priced} }`, direct: true, buys: [] },
  subject: { text: () => `obligatedSubject { ${priced} }`, direct: true, buys: [] },
  opinion: { text: () => `complianceOpinion { ${priced} }`, direct: false, buys: ['subject', 'snapshots'] },
  opinionByRfc: {
    text: ({ rfc }) => `byRfc: complianceOpinion(rfc: "${rfc}") { ${priced} }`,
    direct: false,
    buys: ['subject'],
  },
  month: { text: () => `receipts(period: "2025-01") { ${priced} }`, direct: true, buys: [] },
  months: { text: () => `receiptsBetween(from: "2024-12", to: "2025-02") { ${priced} }`, direct: true, buys: [] },
  receipt: {
    text: ({ folio }) => `receiptFiles(period: "2025-01", folio: "${folio}") { ${priced} }`,
    direct: true,
    buys: [],
  },
  inline: {
    text: ({ folio }) => `inline: receiptFiles(period: "2025-01", folio: "${folio}", inline: true) { ${priced} }`,
    direct: true,
    buys: [],
  },
  files: {
    text: () =>
      `listed: receipts(period: "2025-01") { ${priced} records { files { ${priced} } employer { snapshots { ${priced} } } } }`,
    direct: false,
    buys: [],
  },
};

export function employerPart(employers: readonly Someone[]): fc.Arbitrary<Part> {
  const names = fc.subarray(Object.keys(employerFields), { minLength: 1, maxLength: 4 });
  return fc.record({ employer: fc.constantFrom(...employers), names }).map(({ employer, names: chosen }) => {
    const fields = chosen.flatMap((name) => employerFields[name] ?? []);
    return {
      text: `employer(registration: "${employer.registration}") { ${fields.map(({ text }) => text(employer)).join(' ')} }`,
      direct: employer.answers && fields.every(({ direct }) => direct),
      complete: fields.every(({ buys }) => buys.every((name) => chosen.includes(name))),
    };
  });
}
