import { civilDay, dayText } from './dates';
import { headline, printed } from './pdf';
import { facts, table } from './pdf-rows';
import { currencyText, fiscalFolio, type ReceiptDocument } from './receipt-document';

/** The receipt for reading: the same facts as its XML. */
export async function receiptPdf(receipt: ReceiptDocument): Promise<Buffer> {
  const paper = {
    office: 'Instituto Mexicano del Seguro Social (imitación)',
    title: 'Comprobante fiscal de pago de cuotas',
    reference: `Folio fiscal ${receipt.uuid.toUpperCase()}`,
    createdAt: receipt.paidOn,
  };
  return printed(paper, (sheet) => {
    facts(sheet, [
      ['Registro patronal', receipt.registration],
      ['Nombre o razón social', receipt.employerName],
      ['RFC', receipt.rfc],
      ['Código postal', receipt.postalCode],
      ['Periodo', receipt.period],
      ['Folio SUA', receipt.folio],
      ['Folio del comprobante', fiscalFolio(receipt)],
      ['Fecha de pago', dayText(civilDay(receipt.paidOn))],
    ]);
    table(
      sheet,
      [
        { heading: 'Concepto', width: 0.7 },
        { heading: 'Importe', width: 0.3, align: 'right' },
      ],
      receipt.concepts.map(({ description, amount }) => [description, currencyText(amount)]),
    );
    headline(sheet, `Total ${receipt.amountText}`);
    facts(sheet, [['Importe con letra', receipt.amountInWords]]);
  });
}
