import { formatDecimal } from '../../../../src/sandbox/data/money';
import { fiscalDocument } from '../../../support/documents/receipt-files';
import { DOWNLOAD, LINK, LIST, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

const period = monthWith(1);
const [receipt] = receiptsIn(payer, period);
if (receipt === undefined) throw new Error('The payer has a receipt in this month.');
const { folio } = receipt;

const padron = padronForTests({ now: () => NOW });

describe('the cost of a receipt', () => {
  it.each([
    [
      'links first',
      'a: receiptFiles(period: $p, folio: $f) { ...files } b: receiptFiles(period: $p, folio: $f, inline: true) { ...files }',
      [LINK],
    ],
    [
      'inline first',
      'a: receiptFiles(period: $p, folio: $f, inline: true) { ...files } b: receiptFiles(period: $p, folio: $f) { ...files }',
      [],
    ],
  ])('is paid once for both modes, %s', async (_, fields, links) => {
    const before = padron.spent();
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!) { employer(registration: $r) { ${fields} } }
      fragment files on ReceiptFilesLookup { outcome evidence { units servedFrom } xml { content } }`,
      { r: payer.registration, p: period, f: folio },
    );
    const { a, b } = data.employer;
    expect(a).toMatchObject({ outcome: 'FOUND', evidence: { units: 1, servedFrom: 'LIVE' } });
    expect(b).toMatchObject({ outcome: 'FOUND', evidence: { units: 0, servedFrom: 'REPLAY' } });
    expect(fiscalDocument(a.xml)).toMatchObject({ Total: formatDecimal(receipt.centavos) });
    expect(b.xml.content).toBe(a.xml.content);
    expect(padron.spent() - before).toBe(1);
    expect(padron.calls()).toEqual([DOWNLOAD, ...links]);
  });

  it('is paid once by folio and from the list', async () => {
    const before = padron.spent();
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!) { employer(registration: $r) {
        receiptFiles(period: $p, folio: $f) { ${lookup} pdf { url } }
        receipts(period: $p) { ${lookup} records { folio files { ${lookup} pdf { url } } } } } }`,
      { r: payer.registration, p: period, f: folio },
    );
    const { receiptFiles, receipts } = data.employer;
    expect(receiptFiles).toMatchObject({ outcome: 'FOUND', evidence: { units: 1, servedFrom: 'LIVE' } });
    expect(receipts.records).toMatchObject([{ folio, files: { evidence: { units: 0, servedFrom: 'REPLAY' } } }]);
    expect(receipts.records[0].files.pdf).toEqual(receiptFiles.pdf);
    expect(padron.spent() - before).toBe(2);
    expect([...padron.calls()].sort()).toEqual([LIST, DOWNLOAD]);
  });
});
