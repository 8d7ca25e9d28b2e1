import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { SandboxEmployer } from '../../../src/extensions/sandbox/data/employers';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people, type SandboxPerson } from '../../../src/extensions/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { type Recorded, recordKey } from './recorded';

/** Subjects of the workloads, and the sandbox's real answers about them. */
export interface Recording {
  /** People with a credit. */
  readonly borrowers: readonly SandboxPerson[];
  /** People whom every registry knows. */
  readonly knownPeople: readonly SandboxPerson[];
  readonly employers: readonly SandboxEmployer[];
  /** Employers with one receipt a month, whose files are recorded inline too. */
  readonly inlineEmployers: readonly SandboxEmployer[];
  readonly from: string;
  readonly to: string;
  /** Invented numbers, each answered like a real one, for thousands of different questions at once. */
  readonly crowd: readonly string[];
  readonly answers: ReadonlyMap<string, Recorded>;
  /** A person, and the answer about the credit of this person. */
  readonly model: Model;
}

export interface Model {
  readonly nss: string;
  readonly answer: Recorded;
}

const credit = '/api/infonavit/grupo/buscar-credito';
const receipts = '/private/comprobantes-fiscales';
const crowdSize = 5_000;
const fileBytes = 200_000;
const maxInline = 4;

interface ReceiptQuestion {
  readonly registro_patronal: string;
  readonly anio: number;
  readonly mes: number;
  readonly folio_sua: string;
}

/** Puts every question of the workloads to the sandbox once. */
export async function record(): Promise<Recording> {
  const sandbox = await startSandbox();
  try {
    const answers = new Map<string, Recorded>();
    const recorder = new Recorder(sandbox, answers);
    const borrowers = people.filter(({ credit: held }) => held);
    const knownPeople: SandboxPerson[] = [];
    // A batch checks its token with a call without a person.
    await recorder.ask(credit);
    for (const { nss } of borrowers) await recorder.ask(`${credit}?nss=${Number(nss)}`);
    for (const person of borrowers.filter(isKnown)) if (await recorder.person(person)) knownPeople.push(person);
    const year = new Date().getUTCFullYear() - 1;
    const payers = employers.filter(({ owes }) => !owes);
    const monthly: SandboxEmployer[] = [];
    for (const employer of payers) {
      const receipts = await recorder.year(employer.registration, year);
      if (receipts.length === 12) monthly.push(employer);
      if (receipts.length === 12 && monthly.length <= maxInline) await recorder.inline(receipts);
    }
    const inlineEmployers = monthly.slice(0, maxInline);
    const crowd = recorder.crowd(borrowers[0]?.nss ?? '');
    const range = { from: `${year}-01`, to: `${year}-12` };
    const model = recorder.model(borrowers[0]?.nss ?? '');
    return { borrowers, knownPeople, employers: payers, inlineEmployers, ...range, crowd, answers, model };
  } finally {
    await sandbox.close();
  }
}

/** Known to every registry, so that a profile makes every call. */
function isKnown({ maternalSurname, account, licences }: SandboxPerson): boolean {
  return maternalSurname !== '' && account !== null && licences.length > 0;
}

class Recorder {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly answers: Map<string, Recorded>,
  ) {}

  async ask(url: string, input: object | null = null): Promise<Recorded> {
    const body = input === null ? '' : JSON.stringify(input);
    const sent = {
      authorization: `Bearer ${SANDBOX_TOKEN}`,
      ...(input === null ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await request(this.sandbox.url + url, { method: 'POST', headers: sent, body: body || null });
    const headers = Object.fromEntries(
      Object.entries(answer.headers).flatMap(([name, value]) =>
        /^(content-type|x-ratelimit-.*)$/.test(name) && typeof value === 'string' ? [[name, value]] : [],
      ),
    );
    const recorded = { status: answer.statusCode, headers, body: await answer.body.text() };
    this.answers.set(recordKey('POST', url, body), recorded);
    return recorded;
  }

  /** Whether the person is the only one whom the search by name finds: which namesakes to keep is padron's business. */
  async person({ nss, curp, names, paternalSurname, maternalSurname, licences }: SandboxPerson): Promise<boolean> {
    const name = new URLSearchParams({ nombres: names, paterno: paternalSurname, materno: maternalSurname });
    await this.ask(`/api/infonavit/grupo/obtener-cuenta?nss=${Number(nss)}`);
    await this.ask(`/api/renapo/grupo/valida-curp?curp=${curp}`);
    await this.ask(`/api/sep/grupo/descargar-constancia-profesional?curp=${curp}`);
    const { body } = await this.ask(`/api/sep/grupo/obtener-cedula?${name}`);
    return (JSON.parse(body) as { readonly data: readonly unknown[] }).data.length === licences.length;
  }

  async year(registration: string, year: number): Promise<readonly ReceiptQuestion[]> {
    const all: ReceiptQuestion[] = [];
    for (let month = 1; month <= 12; month += 1) {
      const period = { registro_patronal: registration, anio: year, mes: month };
      const { body } = await this.ask(receipts, period);
      const { comprobantes } = JSON.parse(body) as { readonly comprobantes: readonly { readonly folio_sua: string }[] };
      all.push(...comprobantes.map(({ folio_sua }) => ({ ...period, folio_sua })));
    }
    for (const receipt of all) await this.ask(`${receipts}/descargar`, { ...receipt, include_content: false });
    return all;
  }

  async inline(all: readonly ReceiptQuestion[]): Promise<void> {
    for (const receipt of all) {
      const question = { ...receipt, include_content: true };
      const small = await this.ask(`${receipts}/descargar`, question);
      const key = recordKey('POST', `${receipts}/descargar`, JSON.stringify(question));
      this.answers.set(key, { ...small, body: withLargeFiles(small.body) });
    }
  }

  /** The sandbox has no thousands of people: one record serves under many numbers. */
  crowd(nss: string): readonly string[] {
    const { answer } = this.model(nss);
    return Array.from({ length: crowdSize }, (_, index) => {
      const invented = inventedNss(index);
      const recorded = { ...answer, body: answer.body.replaceAll(nss, invented) };
      this.answers.set(recordKey('POST', `${credit}?nss=${Number(invented)}`, ''), recorded);
      return invented;
    });
  }

  model(nss: string): Model {
    const answer = this.answers.get(recordKey('POST', `${credit}?nss=${Number(nss)}`, ''));
    if (answer === undefined) throw new Error('No answer was recorded for the crowd.');
    return { nss, answer };
  }
}

/** The sandbox's files are small; real ones are not. */
function withLargeFiles(body: string): string {
  const answer = JSON.parse(body) as { readonly files: Record<string, { base64: string; size_bytes: number }> };
  for (const file of Object.values(answer.files)) {
    const bytes = Buffer.alloc(fileBytes, ' ');
    Buffer.from(file.base64, 'base64').copy(bytes);
    file.base64 = bytes.toString('base64');
    file.size_bytes = fileBytes;
  }
  return JSON.stringify(answer);
}

/** Returns the number of one of a million people whom the sandbox does not know. */
export function inventedNss(index: number): string {
  const body = `92${88_000_000 + index * 7}`;
  return body + luhnDigit(body);
}

function luhnDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
