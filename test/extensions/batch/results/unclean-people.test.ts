import { parse } from 'csv-parse/sync';
import { uncleanPeople } from '../../../../src/extensions/sandbox/data/unclean-people';
import { nameOf } from '../../../support/operations/mixed-people';
import { CREDIT, SEARCH } from '../../../support/operations/people-endpoints';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const operation = `query ($nss: NSS, $curp: CURP, $names: String!, $paternalSurname: String!, $maternalSurname: String) {
  person(nss: $nss, curp: $curp, name: { names: $names, paternalSurname: $paternalSurname, maternalSurname: $maternalSurname }) {
    credit { outcome } licences { outcome records { number } } } }`;

const { replacedCurp, withHomonym, homonym, otherSpelling, brother, ...written } = uncleanPeople;
const remark = 'NAME_WRITTEN_DIFFERENTLY';
const conflict = 'NO_RECORD_MATCHES IDENTITY_CONFLICT';
/** Each person with a CURP, whose licences the row finds, and the problems of the row. */
const table = [
  [written.lostEnye, written.lostEnye.person.curp, [written.lostEnye], ''],
  [written.abbreviated, written.abbreviated.person.curp, [written.abbreviated], remark],
  [written.noSecondSurname, written.noSecondSurname.person.curp, [written.noSecondSurname], ''],
  [withHomonym, withHomonym.person.curp, [withHomonym, homonym], ''],
  [homonym, homonym.person.curp, [homonym], ''],
  [otherSpelling, otherSpelling.person.curp, [otherSpelling], remark],
  [brother, brother.person.curp, [brother], ''],
  [replacedCurp, replacedCurp.person.replacedCurp, [replacedCurp], ''],
  // The population registry, which would know that the CURP was replaced, takes no part in batches.
  [replacedCurp, replacedCurp.person.curp, [], conflict],
  [otherSpelling, brother.person.curp, [], conflict],
] as const;

describe('a batch over the people who are hard to compare', () => {
  const padron = ledgerPadronForTests(engineRig(), { REPLAY_SECONDS: '0' });
  const client = new BatchClient(padron);

  it('has a row to review only if a CURP contradicts, and pays for each question once', async () => {
    expect(new Set(table.map(([unclean]) => unclean)).size).toBe(Object.keys(uncleanPeople).length);
    await client.verifyToken();
    padron.calls();
    const rows = table.map(([{ person }, curp]) => ({ nss: person.nss, curp, ...nameOf(person) }));
    const { id, csvUrl, progress } = await client.runRows(operation, rows);
    const results: Record<string, string>[] = parse((await client.download(csvUrl)).text, { bom: true, columns: true });
    const found = (await client.rows(id)).map(({ data }) =>
      data.person.licences.records.map(({ number }: { readonly number: string }) => number),
    );
    expect(results.map((row, index) => [row.State, row['Problem codes'], found[index]])).toEqual(
      table.map(([, , holders, codes]) => [
        codes === conflict ? 'Done, review' : 'Done',
        codes,
        holders.flatMap(({ person }) => person.licences.map(({ number }) => number)),
      ]),
    );
    expect(progress).toMatchObject({ done: 10, doubtful: 2, spentUnits: 15, savedUnits: 5 });
    // The two homonyms have one name, so their licences are one question.
    const calls = padron.calls();
    expect([CREDIT, SEARCH].map((endpoint) => calls.filter((call) => call === endpoint).length)).toEqual([8, 7]);
    expect(calls).toHaveLength(15);
  });
});
