import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { employers } from '../../sandbox/data/employers';
import { availablePeriods } from '../../sandbox/data/months';
import { people as everybody } from '../../sandbox/data/people';
import { findReceipts } from '../../sandbox/documents/receipts';
import { sandboxCredentials } from '../../sandbox/efirma/credentials';
import type { ExplorerTab } from './settings';

type Variables = Readonly<Record<string, unknown>>;

const examples = join(__dirname, '../..', '..', 'schema', 'examples');

/** Tabs for what the examples do not show: the cost of a wrong identifier, and a refusal by a budget. */
const mistyped = `# A mistyped identifier is caught here: the problem says which rule failed, and it costs nothing.
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

const overBudget = `# The header x-max-units is a budget: what may cost more is refused with its breakdown, before anything is asked.
query BudgetRefusal($nss: NSS!) {
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

/** The explorer's tabs. Over a sandbox each runs at once; elsewhere the identifiers are left to be filled in. */
export function explorerTabs(headers: Variables, inSandbox: boolean, now: Date): readonly ExplorerTab[] {
  const person = inSandbox ? sandboxVariables(now) : noVariables;
  const tab = (query: string, variables: Variables, more: Variables = {}): ExplorerTab => ({
    query,
    variables: pretty(variables),
    headers: pretty({ ...headers, ...more }),
  });
  return [
    tab(example('person-profile'), { nss: person.nss }),
    tab(example('employer-year'), { registration: person.registration, from: person.from, to: person.to }),
    tab(example('receipt-files'), { registration: person.registration, period: person.period, folio: person.receipt }),
    tab(example('compliance-opinion'), { registration: person.registration }),
    tab(example('licence-check'), { number: person.licence }),
    tab(example('certificate-check'), { folio: person.certificate }),
    tab(example('signature-check'), { input: person.signature }),
    tab(example('person-credit'), { nss: person.nss }),
    tab(mistyped, { curp: person.mistyped }),
    tab(overBudget, { nss: person.nss }, { 'x-max-units': '2' }),
    tab(example('endpoint-prices'), {}),
  ];
}

const noFiles = { certificate: { upload: null }, privateKey: { upload: null } };

const noVariables = {
  nss: '',
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
  const person = everybody.find(({ credit, account, licences, certificate, maternalSurname }) =>
    Boolean(credit && account && licences.length > 0 && certificate && maternalSurname),
  );
  const employer = employers.find(({ owes, linksInline }) => !owes && linksInline);
  const months = availablePeriods(now);
  const lastMonth = months.findLast((month) => employer !== undefined && findReceipts(employer, month, now).length > 0);
  const lastYear = String(now.getUTCFullYear() - 1);
  const credential = sandboxCredentials.find(({ name }) => name === 'person');
  return {
    nss: person?.nss,
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

function example(name: string): string {
  return readFileSync(join(examples, `${name}.graphql`), 'utf8');
}

function pretty(value: Variables): string {
  return JSON.stringify(value, null, 2);
}
