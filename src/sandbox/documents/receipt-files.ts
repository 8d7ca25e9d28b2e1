import { decimalText } from '../data/money';
import { amountInWords, amountText, type ReceiptDocument } from './receipt-document';
import { receiptPdf } from './receipt-pdf';
import { receiptXml } from './receipt-xml';
import type { Receipt } from './receipts';
import type { LinkedFile } from './signed-links';

/** Both files of a receipt. */
export interface ReceiptFiles {
  readonly pdf: LinkedFile;
  readonly xml: LinkedFile;
}

const KEPT = 500;
const made = new Map<string, Promise<ReceiptFiles>>();

function documentOf(receipt: Receipt): ReceiptDocument {
  const { employer, centavos } = receipt;
  return {
    registration: employer.registration,
    employerName: employer.name,
    rfc: employer.rfc,
    postalCode: employer.postalCode,
    period: receipt.period,
    folio: receipt.folio,
    paidOn: new Date(`${receipt.paidOn}T12:00:00Z`),
    amount: decimalText(centavos),
    amountText: amountText(centavos),
    amountInWords: amountInWords(centavos),
    concepts: receipt.concepts.map((concept) => ({
      description: concept.label,
      amount: decimalText(concept.centavos),
    })),
    uuid: receipt.uuid,
  };
}

async function makeFiles(receipt: Receipt): Promise<ReceiptFiles> {
  const document = documentOf(receipt);
  const name = `${receipt.employer.registration}-${receipt.period}-${receipt.folio}`;
  return {
    pdf: { name: `${name}.pdf`, contentType: 'application/pdf', bytes: await receiptPdf(document) },
    xml: { name: `${name}.xml`, contentType: 'application/xml', bytes: receiptXml(document) },
  };
}

/** A receipt's files never change, and a PDF is the one thing here that takes time: made once. */
export function filesOf(receipt: Receipt): Promise<ReceiptFiles> {
  const known = made.get(receipt.uuid);
  if (known) return known;
  const files = makeFiles(receipt);
  made.set(receipt.uuid, files);
  const [oldest] = made.keys();
  if (made.size > KEPT && oldest) made.delete(oldest);
  return files;
}
