import { formatDay, toCivilDay } from './dates';
import { addHeadline, renderPdf } from './pdf';
import { addFacts, addTable } from './pdf-rows';
import { formatCurrency, makeFiscalFolio, type ReceiptDocument } from './receipt-document';

/** Renders a receipt as a PDF with the same facts as its XML. */
export async function renderReceiptPdf(receipt: ReceiptDocument): Promise<Buffer> {
  const header = {
    office: 'Instituto Mexicano del Seguro Social (imitación)',
    title: 'Comprobante fiscal de pago de cuotas',
    reference: `Folio fiscal ${receipt.uuid.toUpperCase()}`,
    createdAt: receipt.paidOn,
  };
  return renderPdf(header, (pdf) => {
    addFacts(pdf, [
      ['Registro patronal', receipt.registration],
      ['Nombre o razón social', receipt.employerName],
      ['RFC', receipt.rfc],
      ['Código postal', receipt.postalCode],
      ['Periodo', receipt.period],
      ['Folio SUA', receipt.folio],
      ['Folio del comprobante', makeFiscalFolio(receipt)],
      ['Fecha de pago', formatDay(toCivilDay(receipt.paidOn))],
    ]);
    addTable(
      pdf,
      [
        { heading: 'Concepto', width: 0.7 },
        { heading: 'Importe', width: 0.3, align: 'right' },
      ],
      receipt.concepts.map(({ description, amount }) => [description, formatCurrency(amount)]),
    );
    addHeadline(pdf, `Total ${receipt.amountText}`);
    addFacts(pdf, [['Importe con letra', receipt.amountInWords]]);
  });
}
