import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { formatCentavos, spellAmount } from '../../../../src/extensions/sandbox/data/money';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { renderConstancia, renderOpinion } from '../../../../src/extensions/sandbox/documents/certificates';
import {
  type PrintedReceipt,
  renderReceiptPdf,
  renderReceiptXml,
} from '../../../../src/extensions/sandbox/documents/receipt-files';
import { constancia, opinion, receipt } from '../../../support/documents/documents';
import { pdfContent } from '../../../support/documents/pdf-text';
import { findOrThrow } from '../../../support/find-or-throw';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { NOW } from '../../../support/sandbox/sandbox-questions';

describe('the receipt as PDF', () => {
  it('contains every fact, with accents and Ñ', async () => {
    const { text, pages, title } = await pdfContent(await renderReceiptPdf(receipt));
    expect({ pages, title }).toEqual({ pages: 1, title: 'Comprobante fiscal de pago de cuotas' });
    for (const fact of [
      `Registro patronal ${receipt.employer.registration}`,
      receipt.employer.name,
      'RFC EKU9003173C9',
      'Código postal 42501',
      'Periodo 202608',
      'Folio SUA 0516283',
      'Fecha de pago 17/09/2026',
      'Actualización de cuotas RCV $120.05',
      'Total $136,211.32',
      'CIENTO TREINTA Y SEIS MIL DOSCIENTOS ONCE PESOS 32/100 M.N.',
      receipt.uuid,
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).toMatch(/SANDBOX.*inventado/);
  });
});

describe('the 32-D opinion', () => {
  it('assigns midnight in Mexico City to the new day', async () => {
    const { text } = await pdfContent(await renderOpinion({ ...opinion, issuedAt: new Date('2026-09-17T06:00:00Z') }));
    expect(text).toContain('Fecha de emisión 17/09/2026 00:00:00');
    expect(text).toContain('23:59:59 horas del 17/09/2026');
  });

  it('continues on further pages, with the headings on each', async () => {
    const credits = Array.from({ length: 90 }, (_, index) => ({
      period: '202605',
      registration: 'Y6099999101',
      centavos: index * 100,
    }));
    const { text, pages } = await pdfContent(await renderOpinion({ ...opinion, credits }));
    expect(pages).toBeGreaterThan(1);
    expect(text.match(/Periodo Registro patronal Importe/g)).toHaveLength(pages);
    expect(text.match(/^202605 Y6099999101 \$\d+\.00$/gm)).toHaveLength(90);
    expect(text).toContain(`Página ${pages} de ${pages}`);
  });
});

describe('the professional-status certificate', () => {
  it('names the holder and every licence', async () => {
    const { text } = await pdfContent(await renderConstancia(constancia));
    for (const fact of [
      'Nombre XÓCHITL ÑÚÑEZ PINGÜINO',
      'CURP CACX760510MGTSHC04',
      'Código de validación j4xxtbfGWXqk6saaSQrN',
      'Fecha de emisión 17/09/2026 12:30:05',
      '0435151 LICENCIATURA EN DISEÑO UNIVERSIDAD DEL PEÑÓN 1999',
      '12345678 MAESTRÍA EN EDUCACIÓN INSTITUTO TÉCNICO 2024',
      'Documento inventado',
    ]) {
      expect(text).toContain(fact);
    }
  });

  it('states the absence of licences', async () => {
    const { text } = await pdfContent(await renderConstancia({ ...constancia, licences: [] }));
    expect(text).toContain('No se encontraron cédulas profesionales');
  });
});

describe('every document', () => {
  const documents = {
    'receipt PDF': () => renderReceiptPdf(receipt),
    'receipt XML': async () => renderReceiptXml(receipt),
    opinion: () => renderOpinion(opinion),
    constancia: () => renderConstancia(constancia),
  };

  it.each(Object.entries(documents))('is byte for byte the same for the same input: %s', async (_, print) => {
    const first = await print();
    // The second one is printed a day later.
    jest.useFakeTimers({ now: Date.now() + 86_400_000, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      expect((await print()).equals(first)).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('does not slow down the start: pdfkit is loaded for the first document', () => {
    const loaded = `for (const name of ['certificates', 'receipt-files']) require('./src/extensions/sandbox/documents/' + name + '.ts');
      console.log(Object.keys(require.cache).filter((path) => path.includes('/pdfkit/')).length);`;
    const answer = spawnSync(process.execPath, ['--require', 'tsx/cjs', '--eval', loaded], {
      cwd: join(__dirname, '../../../..'),
      encoding: 'utf8',
    });
    expect(answer).toMatchObject({ stdout: '0\n', stderr: '' });
  });
});

const NAMESPACES =
  /<cfdi:Comprobante xmlns:cfdi="http:\/\/www\.sat\.gob\.mx\/cfd\/4" [\s\S]*<tfd:TimbreFiscalDigital xmlns:tfd="http:\/\/www\.sat\.gob\.mx\/TimbreFiscalDigital" /;

describe('the receipt as XML', () => {
  const attributes = { ignoreAttributes: false, attributeNamePrefix: '', parseAttributeValue: false };
  const parser = new XMLParser({ ...attributes, removeNSPrefix: true });
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
    expect(comprobante.Conceptos.Concepto).toMatchObject(
      receipt.concepts.map(({ label, centavos }) => ({ Descripcion: label, Importe: (centavos / 100).toFixed(2) })),
    );
  });

  it('escapes every value, so that a name with markup reads back as written', () => {
    const label = 'Cuotas <b a="1">&amp;</b> \'IMSS\' ]]> ñ';
    const hostile = read({ ...receipt, concepts: [{ label, centavos: 1 }] });
    expect(hostile.Receptor.Nombre).toBe(receipt.employer.name);
    expect(hostile.Conceptos.Concepto.Descripcion).toBe(label);
  });

  it('omits characters that XML does not allow, and keeps line breaks as references', () => {
    const name = 'A\u0000B\ud800C\nD\tE';
    const xml = renderReceiptXml({ ...receipt, employer: { ...receipt.employer, name } }).toString();
    expect(xml).toContain('Nombre="ABC&#10;D&#9;E"');
  });

  it('recognizes a person by the thirteen characters of the code', () => {
    const { Receptor } = read({ ...receipt, employer: { ...receipt.employer, rfc: 'CACX7605101P8' } });
    expect(Receptor.RegimenFiscalReceptor).toBe('612');
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

describe('an amount in words', () => {
  it.each([
    [5, 'CERO PESOS 05/100 M.N.'],
    [1_00, 'UN PESO 00/100 M.N.'],
    [16_00, 'DIECISÉIS PESOS 00/100 M.N.'],
    [21_00, 'VEINTIÚN PESOS 00/100 M.N.'],
    [31_00, 'TREINTA Y UN PESOS 00/100 M.N.'],
    [100_00, 'CIEN PESOS 00/100 M.N.'],
    [921_00, 'NOVECIENTOS VEINTIÚN PESOS 00/100 M.N.'],
    [1_001_00, 'MIL UN PESOS 00/100 M.N.'],
    [31_031_00, 'TREINTA Y UN MIL TREINTA Y UN PESOS 00/100 M.N.'],
    [101_000_00, 'CIENTO UN MIL PESOS 00/100 M.N.'],
    [136_211_32, 'CIENTO TREINTA Y SEIS MIL DOSCIENTOS ONCE PESOS 32/100 M.N.'],
    [1_000_000_50, 'UN MILLÓN DE PESOS 50/100 M.N.'],
    [1_001_000_00, 'UN MILLÓN MIL PESOS 00/100 M.N.'],
    [21_500_700_00, 'VEINTIÚN MILLONES QUINIENTOS MIL SETECIENTOS PESOS 00/100 M.N.'],
  ])('spells %d centavos', (centavos, words) => {
    expect(spellAmount(centavos)).toBe(words);
  });
});

describe('an amount as currency text', () => {
  it.each([
    [7, '$0.07'],
    [99_999, '$999.99'],
    [100_000, '$1,000.00'],
    [1_013_621_132, '$10,136,211.32'],
  ])('writes %d centavos', (centavos, text) => {
    expect(formatCentavos(centavos)).toBe(text);
  });
});

const sandbox = sandboxForTests({ clock: () => NOW });

describe('a signed link', () => {
  it('starts with the host of the request', async () => {
    const { curp } = findOrThrow(people, ({ licences }) => licences.length > 0);
    const client = createSandboxClient({ ...sandbox, url: sandbox.url.replace('127.0.0.1', 'localhost') });
    const { body } = await client.query('/api/sep/grupo/descargar-constancia-profesional', { curp });
    const { url_constancia } = (body as { data: { url_constancia: string } }).data;
    expect(url_constancia).toMatch(/^http:\/\/localhost:/);
    expect((await fetch(url_constancia)).headers.get('content-disposition')).toMatch(
      /^attachment; filename=".+\.pdf"$/,
    );
  });
});
