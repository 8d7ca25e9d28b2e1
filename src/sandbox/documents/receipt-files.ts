import { formatDecimal } from '../data/money';
import { formatCentavos, type ReceiptDocument, spellAmount } from './receipt-document';
import { renderReceiptPdf } from './receipt-pdf';
import { renderReceiptXml } from './receipt-xml';
import type { Receipt } from './receipts';
import type { LinkedFile } from './signed-links';

/** The PDF and the XML of a receipt. */
export interface ReceiptFiles {
  readonly pdf: LinkedFile;
  readonly xml: LinkedFile;
}

const MAX_CACHED = 500;
const cache = new Map<string, Promise<ReceiptFiles>>();

function toReceiptDocument(receipt: Receipt): ReceiptDocument {
  const { employer, centavos } = receipt;
  return {
    registration: employer.registration,
    employerName: employer.name,
    rfc: employer.rfc,
    postalCode: employer.postalCode,
    period: receipt.period,
    folio: receipt.folio,
    paidOn: new Date(`${receipt.paidOn}T12:00:00Z`),
    amount: formatDecimal(centavos),
    amountText: formatCentavos(centavos),
    amountInWords: spellAmount(centavos),
    concepts: receipt.concepts.map((concept) => ({
      description: concept.label,
      amount: formatDecimal(concept.centavos),
    })),
    uuid: receipt.uuid,
  };
}

async function makeFiles(receipt: Receipt): Promise<ReceiptFiles> {
  const document = toReceiptDocument(receipt);
  const name = `${receipt.employer.registration}-${receipt.period}-${receipt.folio}`;
  return {
    pdf: { name: `${name}.pdf`, contentType: 'application/pdf', bytes: await renderReceiptPdf(document) },
    xml: { name: `${name}.xml`, contentType: 'application/xml', bytes: renderReceiptXml(document) },
  };
}

/** Returns the files of a receipt from a cache, because a PDF takes time to render and never changes. */
export function getReceiptFiles(receipt: Receipt): Promise<ReceiptFiles> {
  const cached = cache.get(receipt.uuid);
  if (cached) return cached;
  const files = makeFiles(receipt);
  cache.set(receipt.uuid, files);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest) cache.delete(oldest);
  return files;
}
