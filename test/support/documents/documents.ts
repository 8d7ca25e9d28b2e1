import type { PrintedSense } from '../../../src/extensions/sandbox/documents/certificates';
import type { PrintedReceipt } from '../../../src/extensions/sandbox/documents/receipt-files';

/** A receipt with texts that are easily broken: accents, markup, a folio with a leading zero. */
export const receipt: PrintedReceipt = {
  employer: {
    registration: 'Y6099999101',
    name: 'PEÑA & ÑANDÚ "LA ÚNICA" <MÉXICO> SA DE CV',
    rfc: 'EKU9003173C9',
    postalCode: '42501',
  },
  period: '202608',
  folio: '0516283',
  paidOn: '2026-09-17',
  centavos: 13_621_132,
  concepts: [
    { label: 'Cuotas IMSS', centavos: 8_421_337 },
    { label: 'Cuotas RCV', centavos: 5_187_790 },
    { label: 'Actualización de cuotas RCV', centavos: 12_005 },
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
    { period: '202605', registration: 'Y6099999101', centavos: 123_450 },
    { period: '202606', registration: 'C1234567109', centavos: 9_876_543_210 },
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
