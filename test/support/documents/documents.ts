import { formatCentavos, spellAmount } from '../../../src/sandbox/data/money';
import type { PrintedSense } from '../../../src/sandbox/documents/certificates';
import type { ReceiptDocument } from '../../../src/sandbox/documents/receipt-files';

/** A receipt with texts that are easily broken: accents, markup, a folio with a leading zero. */
export const receipt: ReceiptDocument = {
  registration: 'Y6099999101',
  employerName: 'PEÑA & ÑANDÚ "LA ÚNICA" <MÉXICO> SA DE CV',
  rfc: 'EKU9003173C9',
  postalCode: '42501',
  period: '202608',
  folio: '0516283',
  paidOn: new Date('2026-09-17'),
  amount: '136211.32',
  amountText: formatCentavos(13621132),
  amountInWords: spellAmount(13621132),
  concepts: [
    { description: 'Cuotas IMSS', amount: '84213.37' },
    { description: 'Cuotas RCV', amount: '51877.90' },
    { description: 'Actualización de cuotas RCV', amount: '120.05' },
  ],
  uuid: '5B7E1D52-9C3A-4A1D-8F51-1B1A6E0C2D11',
};

export const opinion = {
  rfc: 'EKU9003173C9',
  employerName: 'PEÑA Y ÑANDÚ SA DE CV',
  obligatedSubjectId: '700123',
  // 03:00 UTC is still the evening of the 16th in Mexico City.
  issuedAt: new Date('2026-09-17T03:00:00Z'),
  sense: 'NEGATIVA' as PrintedSense,
  credits: [
    { period: '202605', registration: 'Y6099999101', amount: '1234.50' },
    { period: '202606', registration: 'C1234567109', amount: '98765432.10' },
  ],
};

export const constancia = {
  curp: 'CACX760510MGTSHC04',
  fullName: 'XÓCHITL ÑÚÑEZ PINGÜINO',
  licences: [
    { number: '0435151', title: 'LICENCIATURA EN DISEÑO', institution: 'UNIVERSIDAD DEL PEÑÓN', year: 1999 },
    { number: '12345678', title: 'MAESTRÍA EN EDUCACIÓN', institution: 'INSTITUTO TÉCNICO', year: 2024 },
  ],
  issuedAt: new Date('2026-09-17T18:30:05Z'),
  validationCode: 'j4xxtbfGWXqk6saaSQrN',
};
