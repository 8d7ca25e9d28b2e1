import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { renderConstancia, renderOpinion } from '../../../../src/extensions/sandbox/documents/certificates';
import { renderReceiptPdf, renderReceiptXml } from '../../../../src/extensions/sandbox/documents/receipt-files';
import { constancia, opinion, receipt } from '../../../support/documents/documents';
import { pdfContent } from '../../../support/documents/pdf-text';

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
  });

  it('states that it is invented', async () => {
    expect((await pdfContent(await renderReceiptPdf(receipt))).text).toMatch(/SANDBOX.*inventado/);
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
