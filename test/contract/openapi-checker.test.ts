import { type Call, contract } from './contract';

const { check } = contract();

const credit = {
  nss: '03957612348',
  estatus_credito: 'AC',
  situacioncredito: 'VIGENTE',
  num_credito: '1918123456',
  moneda: 'VSM',
  tipo_credito: 'Hipotecario',
  regimen: 'ROA',
  pool: '1',
  mesesomisos: '0',
  producto: 'HiTo',
  nombre: 'XÓCHITL',
  apPaterno: 'CASAS',
  apMaterno: 'CHÁVEZ',
  fechaOrigen: '20180215',
  fechaCierre: '',
  emailPersonal: '',
  telefonoCelular: '',
  rfc: 'CACX7605101P8',
  scurp: 'CACX760510MGTSHC04',
};
const head = { success: true, codigoValidacion: 'j4xxtbfGWXqk6saaSQrN', message: 'Exitoso', status: 200 };
const refusal = { ...head, success: false, status: 403 };

function call(parts: Partial<Call>): Call {
  return {
    method: 'POST',
    path: '/api/infonavit/grupo/buscar-credito?nss=3957612348',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { ...head, data: credit },
    ...parts,
  };
}

const creditWith = (fields: object): Call => call({ body: { ...head, data: { ...credit, ...fields } } });

function fileCall(parts: Partial<Call>): Call {
  const link =
    '/private/imss/comprobantes-fiscales/archivo/5b7e1d52-9c3a-4a1d-8f51-1b1a6e0c2d11/pdf?expires=1&signature=a';
  return {
    ...call({}),
    method: 'GET',
    path: link,
    contentType: 'application/pdf',
    body: Buffer.from('%PDF-1.3'),
    ...parts,
  };
}

const portal = (status: number, code: string): Partial<Call> => ({
  path: '/private/comprobantes-fiscales',
  status,
  body: { ok: false, error: { code, message: 'No.' } },
});

describe('the checker of the contract', () => {
  it.each<[string, Call, RegExp]>([
    ['a path that is not documented', call({ path: '/api/infonavit/grupo/otro' }), /no such operation/],
    ['a status that is not documented', call({ status: 418 }), /no such status/],
    ['a page of HTML', call({ contentType: 'text/html', body: '<html>' }), /no such content type: text\/html/],
    ['an unknown property', call({ body: { ...head, data: credit, debug: 1 } }), /additional properties.*debug/],
    ['a property left out', creditWith({ rfc: undefined }), /\/data\/rfc|required.*rfc/],
    ['a number where text is promised', creditWith({ nss: 1 }), /\/data\/nss must be string/],
    ['a date in the wrong format', creditWith({ fechaOrigen: '15/02/2018' }), /fechaOrigen must match/],
    [
      'a status in the body that is not the HTTP status',
      call({ status: 403, body: { ...refusal, status: 402 } }),
      /\/status is 402/,
    ],
    [
      'data in an empty 404 that is not empty',
      call({ status: 404, body: { ...refusal, status: 404, data: [1] } }),
      /\/data must NOT have more/,
    ],
    ['the envelope of /api on /private', call({ ...portal(403, 'x'), body: refusal }), /required.*ok/],
    ['a portal code that does not exist', call(portal(502, 'IMSS_NOTHING')), /\/error\/code must be equal/],
    ['bytes that are not a PDF', fileCall({ body: Buffer.from('<html>') }), /is not application\/pdf/],
  ])('catches %s', (_, answer, violation) => {
    const violations = check(answer);
    expect(violations.length).toBeGreaterThan(0);
    expect(violations.join('\n')).toMatch(violation);
  });

  it('names the method, the path without its query and the status', () => {
    expect(check(call({ status: 418 }))).toEqual([
      'POST /api/infonavit/grupo/buscar-credito 418: no such status for this operation',
    ]);
  });
});
