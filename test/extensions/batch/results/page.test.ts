import { payer } from '../../../support/operations/employer-graph';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { BatchClient } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

const FILES = `query Files($registration: EmployerRegistration!, $folio: String!) { employer(registration: $registration) {
  receiptFiles(period: "2025-01", folio: $folio) { outcome pdf { content } } } }`;
const count = 16;
const fileBytes = 600_000;
const rows = Array.from({ length: count }, (_, index) => ({
  registration: payer.registration,
  folio: `${100_000 + index}`,
}));
const base64 = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(fileBytes, 7)]).toString('base64');
const pdf = { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: fileBytes + 9, base64 };

const pageOf = (id: string, after: string | null, first = 500): string =>
  `registryBatch(id: "${id}") { rows(first: ${first}, after: ${after === null ? null : `"${after}"`}) { rows { number data } next } }`;

describe.each(engines)('a page of rows with files, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const limit = 3_000_000;
  let padron: ProxiedPadron;
  let client: BatchClient;
  let id: string;

  beforeAll(async () => {
    const { environment } = await rig.settings();
    padron = await runPadronBehindProxy({ ...environment, BATCH_ENDPOINTS: 'any', LIMIT_ANSWER_BYTES: `${limit}` });
    padron.proxy.standIn(({ path }) =>
      path.includes('/buscar-credito') ? null : { status: 200, json: { ok: true, files: { pdf, xml: null } } },
    );
    client = new BatchClient(padron);
    id = (await client.ready(FILES, rows)).id;
    expect((await client.run(id)).progress.done).toBe(count);
  }, 120_000);
  afterAll(() => padron.stop());

  it('ends before LIMIT_ANSWER_BYTES is exceeded, and its cursor continues until all rows are read', async () => {
    const numbers: number[] = [];
    let pages = 0;
    for (let after: string | null = null; pages === 0 || after !== null; pages += 1) {
      const data = await client.ask(`{ ${pageOf(id, after)} }`);
      expect(JSON.stringify(data).length).toBeLessThan(limit);
      const page = data.registryBatch.rows;
      for (const { data: answer } of page.rows) expect(answer.employer.receiptFiles.pdf.content).toBe(base64);
      numbers.push(...page.rows.map(({ number }: { readonly number: number }) => number));
      after = page.next;
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(pages).toBeGreaterThan(4);
  }, 60_000);

  it('shares the limit with the other pages of the same request', async () => {
    const query = `{ a: ${pageOf(id, null)} b: ${pageOf(id, '8')} }`;
    await expect(client.ask(query)).rejects.toThrow('OPERATION_TOO_LARGE');
    const small = await client.ask(`{ a: ${pageOf(id, null, 1)} b: ${pageOf(id, '8', 1)} }`);
    expect([small.a, small.b].map(({ rows: page }) => [page.rows[0].number, page.next])).toEqual([
      [1, '1'],
      [9, '9'],
    ]);
  }, 60_000);
});
