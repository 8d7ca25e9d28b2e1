import { parse } from 'csv-parse/sync';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

describe('the downloads of a batch', () => {
  const rig = engineRig('embedded');
  const padron = ledgerPadronForTests(rig);
  const client = new BatchClient(padron);

  it('contain every row in order, with its label, evidence and problems', async () => {
    const [first = '', second = ''] = NSS;
    const mistyped = `${first.slice(0, 10)}${(Number(first[10]) + 1) % 10}`;
    const rows = [
      { ref: '=HYPERLINK("x")', nss: first },
      { ref: 'wrong', nss: mistyped },
      { ref: 'again', nss: first },
      { ref: 'last', nss: second },
    ];
    const { id } = await client.ready(CREDIT, rows);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10)`);
    const { jsonlUrl, csvUrl } = await client.until(id, 'DONE');

    const jsonl = await client.download(jsonlUrl);
    expect([jsonl.status, jsonl.type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const lines = jsonl.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ ref, row, state }) => [ref, row, state])).toEqual([
      ['=HYPERLINK("x")', 1, 'DONE'],
      ['wrong', 2, 'FAILED'],
      ['again', 3, 'DONE'],
      ['last', 4, 'DONE'],
    ]);
    expect(lines[0].lookups).toMatchObject([{ field: 'person.credit', outcome: 'FOUND', evidence: { units: 1 } }]);
    expect(lines[1]).toMatchObject({ problems: [{ code: 'WRONG_CHECK_DIGIT', path: ['nss'] }], lookups: [], units: 0 });

    const csv = await client.download(csvUrl);
    expect(csv.type).toBe('text/csv; charset=utf-8');
    const table: Record<string, string>[] = parse(csv.text, { bom: true, columns: true });
    expect(table.map(({ ref }) => ref)).toEqual(['\'=HYPERLINK("x")', 'wrong', 'again', 'last']);
    expect(table.map(({ nss }) => nss)).toEqual([first, mistyped, first, second]);
    expect(table[0]).toMatchObject({
      State: 'Done',
      Units: '1',
      'Credit: outcome': 'Found',
      'Credit: billing': 'Charged',
      'Credit: validation code': lines[0].lookups[0].evidence.validationCode,
      'Credit: names': lines[0].data.person.credit.record.names,
    });
    expect(table[1]).toMatchObject({
      State: 'Failed',
      Problem: lines[1].problems[0].message,
      'Problem codes': 'WRONG_CHECK_DIGIT',
      'Credit: outcome': 'Invalid input',
    });
    expect(table[2]).toMatchObject({ Units: '0', 'Credit: served from': 'Replay' });
  });
});
