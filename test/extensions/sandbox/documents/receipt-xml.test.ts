import { XMLParser } from 'fast-xml-parser';
import type { PrintedReceipt } from '../../../../src/extensions/sandbox/documents/receipt-files';
import { renderReceiptXml } from '../../../../src/extensions/sandbox/documents/receipt-files';
import { receipt } from '../../../support/documents/documents';

const NAMESPACES =
  /<cfdi:Comprobante xmlns:cfdi="http:\/\/www\.sat\.gob\.mx\/cfd\/4" [\s\S]*<tfd:TimbreFiscalDigital xmlns:tfd="http:\/\/www\.sat\.gob\.mx\/TimbreFiscalDigital" /;

describe('the receipt as XML', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    removeNSPrefix: true,
  });
  const read = (document: PrintedReceipt) => parser.parse(renderReceiptXml(document)).Comprobante;

  it('is a CFDI 4.0 of the institute for this employer', () => {
    const comprobante = read(receipt);
    expect(comprobante).toMatchObject({
      Version: '4.0',
      Folio: '202608-Y6099999101-17092026-0516283',
      Fecha: '2026-09-17T12:00:00',
      SubTotal: '136211.32',
      Total: '136211.32',
      Emisor: { Rfc: 'IMS421231I45', RegimenFiscal: '603' },
      Receptor: { Rfc: 'EKU9003173C9', DomicilioFiscalReceptor: '42501', RegimenFiscalReceptor: '601' },
      Complemento: { TimbreFiscalDigital: { Version: '1.1', UUID: receipt.uuid } },
    });
    expect(renderReceiptXml(receipt).toString()).toMatch(NAMESPACES);
    const lines = comprobante.Conceptos.Concepto as readonly {
      readonly Descripcion: string;
      readonly Importe: string;
    }[];
    expect(lines.map(({ Descripcion, Importe }) => [Descripcion, Importe])).toEqual(
      receipt.concepts.map(({ label, centavos }) => [label, (centavos / 100).toFixed(2)]),
    );
  });

  it('escapes every value, so that a name with markup reads back as written', () => {
    const label = 'Cuotas <b a="1">&amp;</b> \'IMSS\' ]]> ñ';
    const hostile = read({ ...receipt, concepts: [{ label, centavos: 1 }] });
    expect(hostile.Receptor.Nombre).toBe(receipt.employer.name);
    expect(hostile.Conceptos.Concepto.Descripcion).toBe(label);
  });

  it('omits characters that XML does not allow, and keeps line breaks as references', () => {
    const xml = renderReceiptXml({
      ...receipt,
      employer: { ...receipt.employer, name: 'A\u0000B\ud800C\nD\tE' },
    }).toString();
    expect(xml).toContain('Nombre="ABC&#10;D&#9;E"');
  });

  it('recognizes a person by the thirteen characters of the code', () => {
    expect(
      read({ ...receipt, employer: { ...receipt.employer, rfc: 'CACX7605101P8' } }).Receptor.RegimenFiscalReceptor,
    ).toBe('612');
  });

  it('has seals that state that they are not seals', () => {
    const comprobante = read(receipt);
    const stamp = comprobante.Complemento.TimbreFiscalDigital;
    for (const seal of [comprobante.Sello, comprobante.Certificado, stamp.SelloCFD, stamp.SelloSAT]) {
      expect(Buffer.from(seal, 'base64').toString()).toMatch(/^SANDBOX: .* SIN VALIDEZ$/);
    }
    expect(renderReceiptXml(receipt).toString()).toContain('Documento inventado por el sandbox');
  });
});
