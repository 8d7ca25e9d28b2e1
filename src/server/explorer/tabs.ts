import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { employers } from '../../sandbox/data/employers';
import { availablePeriods } from '../../sandbox/data/months';
import { people } from '../../sandbox/data/people';
import { findReceipts } from '../../sandbox/documents/receipts';
import { sandboxCredentials } from '../../sandbox/efirma/credentials';
import type { ExplorerTab } from './settings';

type Variables = Readonly<Record<string, unknown>>;

const examples = join(__dirname, '../..', '..', 'schema', 'examples');

/** A tab that shows the problem of a mistyped identifier. */
const mistyped = `# padron rejects a mistyped identifier. The problem names the rule that failed, and nothing is charged.
query MistypedCurp($curp: CURP!) {
  person(curp: $curp) {
    identity {
      outcome
      evidence {
        units
        billing
      }
      problems {
        code
        message
        path
      }
    }
  }
}
`;

/** A tab that shows the rejection of an operation above its budget. */
const overBudget = `# The header x-max-units is a budget. An operation that may cost more is rejected with its breakdown before any call is sent.
query BudgetRejection($nss: NSS!) {
  person(nss: $nss) {
    credit {
      outcome
    }
    housingAccount {
      outcome
    }
    identity {
      outcome
    }
  }
}
`;

/** Returns the explorer's tabs. With a sandbox each tab can run at once. With a real service the user fills in the identifiers. */
export function createExplorerTabs(headers: Variables, inSandbox: boolean, now: Date): readonly ExplorerTab[] {
  const values = inSandbox ? sandboxVariables(now) : noVariables;
  const tab = (query: string, variables: Variables, more: Variables = {}): ExplorerTab => ({
    query,
    variables: pretty(variables),
    headers: pretty({ ...headers, ...more }),
  });
  return [
    tab(example('person-profile'), { nss: values.nss }),
    tab(example('employer-year'), { registration: values.registration, from: values.from, to: values.to }),
    tab(example('receipt-files'), { registration: values.registration, period: values.period, folio: values.receipt }),
    tab(example('compliance-opinion'), { registration: values.registration }),
    tab(example('licence-check'), { number: values.licence }),
    tab(example('certificate-check'), { folio: values.certificate }),
    tab(example('signature-check'), { input: values.signature }),
    tab(example('person-credit'), { nss: values.nss }),
    tab(mistyped, { curp: values.mistyped }),
    tab(overBudget, { nss: values.nssOverBudget }, { 'x-max-units': '2' }),
    tab(example('endpoint-prices'), {}),
  ];
}

const noFiles = { certificate: { upload: null }, privateKey: { upload: null } };

const noVariables = {
  nss: '',
  nssOverBudget: '',
  registration: '',
  from: '',
  to: '',
  period: '',
  receipt: '',
  licence: '',
  certificate: '',
  mistyped: '',
  signature: { rfc: '', password: '', ...noFiles },
} as const;

function sandboxVariables(now: Date): Record<keyof typeof noVariables, unknown> {
  const complete = people.filter(({ credit, account, licences, certificate, maternalSurname }) =>
    Boolean(credit && account && licences.length > 0 && certificate && maternalSurname),
  );
  const [person] = complete;
  const employer = employers.find(({ owes, linksInline }) => !owes && linksInline);
  const months = availablePeriods(now);
  const lastMonth = months.findLast((month) => employer !== undefined && findReceipts(employer, month, now).length > 0);
  const lastYear = String(now.getUTCFullYear() - 1);
  const credential = sandboxCredentials.find(({ name }) => name === 'person');
  return {
    nss: person?.nss,
    // No other example uses this person: its paid answers would be free for a while, and the operation within its budget.
    nssOverBudget: complete.at(-1)?.nss,
    registration: employer?.registration,
    from: `${lastYear}-01`,
    to: `${lastYear}-12`,
    period: `${lastMonth?.slice(0, 4)}-${lastMonth?.slice(4)}`,
    receipt: employer && lastMonth && findReceipts(employer, lastMonth, now)[0]?.folio,
    licence: person?.licences[0]?.number,
    certificate: person?.certificate?.folio,
    mistyped: person && withAnotherCheckDigit(person.curp),
    signature: { rfc: credential?.rfc, password: credential?.password, ...noFiles },
  };
}

function withAnotherCheckDigit(curp: string): string {
  return curp.slice(0, -1) + ((Number(curp.at(-1)) + 1) % 10);
}

/** Returns the document of an example. The tab has its variables. */
function example(name: string): string {
  const document = readFileSync(join(examples, `${name}.graphql`), 'utf8');
  return document.replace(/^# Variables for the sandbox:.*\n/m, '');
}

function pretty(value: Variables): string {
  return JSON.stringify(value, null, 2);
}
