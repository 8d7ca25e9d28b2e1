import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExplorerTab, SandboxGuide } from '../../../schema/explorer-settings';

type Variables = Readonly<Record<string, unknown>>;

const examples = join(__dirname, '../..', '..', 'schema', 'examples');

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
export function createExplorerTabs(headers: Variables, guide: SandboxGuide | null, now: Date): readonly ExplorerTab[] {
  const values = guide === null ? noVariables : sandboxVariables(guide, now);
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

function sandboxVariables(
  { examples, credentials }: SandboxGuide,
  now: Date,
): Record<keyof typeof noVariables, unknown> {
  const lastYear = String(now.getUTCFullYear() - 1);
  const credential = credentials.find(({ name }) => name === 'person');
  return {
    ...examples,
    from: `${lastYear}-01`,
    to: `${lastYear}-12`,
    mistyped: withAnotherCheckDigit(examples.curp),
    signature: { rfc: credential?.rfc, password: credential?.password, ...noFiles },
  };
}

function withAnotherCheckDigit(curp: string): string {
  return curp.slice(0, -1) + ((Number(curp.at(-1)) + 1) % 10);
}

function example(name: string): string {
  const document = readFileSync(join(examples, `${name}.graphql`), 'utf8');
  return document.replace(/^# Variables for the sandbox:.*\n\n?/m, '');
}

function pretty(value: Variables): string {
  return JSON.stringify(value, null, 2);
}
