import { parse } from 'csv-parse/sync';
import { claudia, uriel } from '../../support/operations/mixed-people';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient } from '../../support/requests/batches';
import { card } from '../../support/sandbox/cards';
import { engineRig } from '../../support/stores/engines';

const employer = 'query($registration: EmployerRegistration!) { employer(registration: $registration)';

/** Operations that do not select `problems`, and rows for which a resolver finds a problem in the answer. */
const cases = [
  {
    code: 'IDENTITY_CONFLICT',
    operation:
      'query($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome record { names } } } }',
    row: { nss: uriel.nss, curp: claudia.curp },
  },
  {
    code: 'NO_RECORD_MATCHES',
    operation: `${employer} { snapshots { outcome setAside } } }`,
    row: { registration: card('somebody-else', 'registration') },
  },
  {
    code: 'EMPLOYER_UNKNOWN',
    operation: `${employer} { receipts(period: "2025-01") { outcome } } }`,
    row: { registration: card('not-found', 'registration') },
  },
] as const;

type Row = Readonly<Record<string, string>>;

describe('the problems of a row', () => {
  const rig = engineRig('embedded');
  const padron = ledgerPadronForTests(rig, { BATCH_ENDPOINTS: 'any' });
  const client = new BatchClient(padron);

  it.each(cases)(
    'contain $code in CSV, JSON lines and the graph, even if the operation does not select problems',
    async ({ code, operation, row }) => {
      const { id } = await client.ready(operation, [row]);
      await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`);
      const { csvUrl, jsonlUrl } = await client.until(id, 'DONE', 'PAUSED');
      const codes = expect.arrayContaining([expect.objectContaining({ code })]);
      expect(await client.rows(id)).toMatchObject([{ problems: codes }]);
      const line = JSON.parse((await client.download(jsonlUrl)).text);
      expect(line).toMatchObject({ problems: codes });
      const table: Row[] = parse((await client.download(csvUrl)).text, { bom: true, columns: true });
      expect(table.map((cells) => cells['Problem codes']?.split(' '))).toEqual([expect.arrayContaining([code])]);
      expect(table[0]?.Problem).toContain(line.problems[0].message);
    },
  );
});
