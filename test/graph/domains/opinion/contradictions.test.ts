import { readOpinion } from '../../../../src/graph/domains/opinion/read-opinion';
import { type InstitutePaper, instituteLines, positivePaper } from '../../../support/documents/opinion-papers';

const read = (paper: InstitutePaper) => readOpinion(instituteLines(paper).map((line) => line.split('\t')));

describe('a positive opinion', () => {
  it.each([
    'La presente opinión no constituye resolución en sentido favorable sobre el cálculo y montos de las cuotas declaradas.',
    'No se detectaron créditos fiscales.',
    'Créditos fiscales: ninguno.',
    'El Instituto se reserva sus facultades de verificación en los términos del artículo 304 A de la ley.',
    'El comportamiento anual y manual de los pagos se revisa por separado.',
  ])('is read beside the remark: %s', (remark) => {
    expect(read({ ...positivePaper, rows: [remark] })?.opinion).toMatchObject({ sense: 'POSITIVE', credits: [] });
  });

  it.each([
    'NO VÁLIDA',
    'Este documento no es válido.',
    'SIN VALOR OFICIAL',
    'CARECE DE VALOR',
    'DOCUMENTO NULO',
    'NULA',
    'I N V Á L I D A',
    'C.A.N.C.E.L.A.D.A',
    'C-A-N-C-E-L-A-D-A',
    'Opinión en proceso de cancelación',
    'Se revoca esta opinión.',
    'Se anula esta opinión.',
    'SUSPENDIDA',
    'RECHAZADA',
    'Opinión desfavorable',
    'Sin opinión',
    'No es posible emitir opinión.',
    'Esta opinión no surte efectos.',
    'El patrón dejó de estar al corriente en 2024.',
    'Se encontraba al corriente hasta 2024.',
    'Se detectaron créditos fiscales a su cargo.',
    'No obstante, presenta créditos fiscales firmes.',
    'Presenta omisiones en el pago de cuotas.',
    'Se identificaron diversos adeudos.',
    'El patrón debe 500 pesos.',
    'Cantidad a pagar: 500',
  ])('is unreadable beside the remark: %s', (remark) => {
    expect(read({ ...positivePaper, rows: [remark] })).toBeNull();
  });

  it.each([
    'se encuentra parcialmente al corriente en el cumplimiento de sus obligaciones.',
    'se encuentra al corriente en el cumplimiento de sus obligaciones, excepto por dos periodos.',
    'se encuentra al corriente, salvo en los periodos de 2024.',
  ])('is unreadable with a finding that has a limit: %s', (finding) => {
    expect(read({ ...positivePaper, finding })).toBeNull();
  });
});
