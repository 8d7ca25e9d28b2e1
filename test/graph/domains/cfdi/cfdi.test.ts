import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDecimal } from '../../../../src/extensions/sandbox/data/money';
import { getReceiptFiles } from '../../../../src/extensions/sandbox/documents/receipt-files';
import { readCfdi } from '../../../../src/graph/domains/cfdi/read-cfdi';
import { findOrThrow } from '../../../support/find-or-throw';
import { DOWNLOAD, LINK, LIST, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { processorTime } from '../../../support/processor-time';

const { registration } = payer;
const period = monthWith(1);
const receipt = findOrThrow(receiptsIn(payer, period), () => true);
const selection = `cfdi { uuid folio issuedAt certifiedAt issuer { rfc name } receiver { rfc name } total currency
  concepts { description amount } } cfdiProblem { code message path retryable }`;
const byFolio = (fields: string) => `query ($registration: EmployerRegistration!, $period: YearMonth!, $folio: String!,
  $inline: Boolean) { employer(registration: $registration) {
  receiptFiles(period: $period, folio: $folio, inline: $inline) { outcome problems { code } ${fields} } } }`;
const byList = (fields: string) => `query ($registration: EmployerRegistration!, $period: YearMonth!) {
  employer(registration: $registration) { receipts(period: $period) { records { files { ${fields} } } } } }`;
const expected = {
  uuid: receipt.uuid.toUpperCase(),
  folio: `${period.replace('-', '')}-${registration}-${receipt.paidOn.split('-').reverse().join('')}-${receipt.folio}`,
  issuedAt: `${receipt.paidOn}T12:00:00`,
  certifiedAt: `${receipt.paidOn}T12:00:05`,
  issuer: { rfc: 'IMS421231I45', name: 'INSTITUTO MEXICANO DEL SEGURO SOCIAL' },
  receiver: { rfc: payer.rfc, name: payer.name },
  total: formatDecimal(receipt.centavos),
  currency: 'MXN',
  concepts: receipt.concepts.map(({ label, centavos }) => ({ description: label, amount: formatDecimal(centavos) })),
};

let xml = '';
beforeAll(async () => {
  xml = (await getReceiptFiles(receipt)).xml.bytes.toString('utf8');
});

const published = join(__dirname, '../../../fixtures/cfdi');

describe('RegistryFile.cfdi', () => {
  const padron = proxiedPadronForTests({}, null, { now: () => NOW });

  const ask = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const asked = { registration, period, folio: receipt.folio, inline: false, ...variables };
    const { status, data, errors } = await padron.ask(query, asked);
    expect({ status, errors }).toEqual({ status: 200, errors: undefined });
    const { receiptFiles, receipts } = data.employer;
    return receiptFiles ?? receipts.records[0].files;
  };
  /** The same receipt with another file behind its link. */
  const askAbout = async (file: string | Buffer, query = byFolio(`xml { ${selection} }`)) => {
    padron.proxy.tamper((__, { path }) => (path.endsWith('/xml') ? { bytes: Buffer.from(file as string) } : null));
    return (await ask(query)).xml;
  };
  const unreadable = (message = expect.stringContaining('is not a CFDI 4.0 or 3.3')) => ({
    cfdi: null,
    cfdiProblem: { code: 'CFDI_UNREADABLE', message, path: null, retryable: false },
  });

  it('is read through the link, which costs nothing', async () => {
    const before = padron.spent();
    expect(await ask(byFolio(`xml { ${selection} }`))).toEqual({
      outcome: 'FOUND',
      problems: [],
      xml: { cfdi: expected, cfdiProblem: null },
    });
    expect(padron.spent() - before).toBe(1);
    expect(padron.calls()).toEqual([DOWNLOAD, LINK]);
  });

  it('is read from the bytes of the answer if it contains them', async () => {
    expect((await ask(byFolio(`xml { ${selection} }`), { inline: true })).xml).toEqual({
      cfdi: expected,
      cfdiProblem: null,
    });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it('agrees with the list of receipts, with one fetch for the content and the CFDI', async () => {
    const before = padron.spent();
    const { xml: file } = await ask(byList(`xml { content ${selection} same: cfdi { uuid } }`));
    expect(file).toEqual({
      content: expect.any(String),
      cfdi: expected,
      cfdiProblem: null,
      same: { uuid: expected.uuid },
    });
    expect(padron.spent() - before).toBe(2);
    expect(padron.calls()).toEqual([LIST, DOWNLOAD, LINK]);
  });

  it('is fetched once for all fields that read it, and each field compares it with its own question', async () => {
    const disputed = xml.replace(/ Total="[^"]*"/, ' Total="1.00"');
    padron.proxy.tamper((__, { path }) => (path.endsWith('/xml') ? { bytes: Buffer.from(disputed) } : null));
    const { data } = await padron.ask(
      `query ($registration: EmployerRegistration!, $period: YearMonth!, $folio: String!) {
        employer(registration: $registration) {
          receipts(period: $period) { records { files { xml { cfdi { total } cfdiProblem { code } } } } }
          receiptFiles(period: $period, folio: $folio) { xml { cfdi { total } cfdiProblem { code } } } } }`,
      { registration, period, folio: receipt.folio },
    );
    const { receipts, receiptFiles } = data.employer;
    const cfdi = { total: '1.00' };
    expect(receipts.records[0].files.xml).toEqual({ cfdi, cfdiProblem: { code: 'CFDI_MISMATCH' } });
    expect(receiptFiles.xml).toEqual({ cfdi, cfdiProblem: null });
    expect([...padron.calls()].sort()).toEqual([LIST, DOWNLOAD, LINK].sort());
  });

  it('is not fetched if it is not selected, or if the file is not a CFDI', async () => {
    expect(await ask(byFolio(`xml { filename } pdf { ${selection} }`))).toMatchObject({
      pdf: { cfdi: null, cfdiProblem: null },
    });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it('reports why the file is not available', async () => {
    padron.proxy.tamper((__, { path }) => (path.endsWith('/xml') ? { status: 410 } : null));
    expect((await ask(byFolio(`xml { ${selection} }`))).xml).toMatchObject({
      cfdi: null,
      cfdiProblem: { code: 'LINK_EXPIRED' },
    });
    expect(padron.calls()).toEqual([DOWNLOAD, LINK]);
  });

  it.each<[string, (text: string) => string | Buffer, object]>([
    [
      'of version 3.3',
      (text) => text.replaceAll('sat.gob.mx/cfd/4', 'sat.gob.mx/cfd/3').replace('Version="4.0"', 'Version="3.3"'),
      {},
    ],
    [
      'of other prefixes',
      (text) => text.replaceAll('cfdi:', 'x:').replaceAll('xmlns:cfdi', 'xmlns:x').replaceAll('tfd', 't'),
      {},
    ],
    ['without prefixes', (text) => text.replaceAll('cfdi:', '').replaceAll('xmlns:cfdi', 'xmlns'), {}],
    ['behind blanks, with NULs and blanks at its end', (text) => ` \n\uFEFF${text}\n\0\0 `, {}],
    [
      'that declares UTF8, and has blanks around an RFC',
      (text) => text.replace('UTF-8', 'UTF8').replace(/Rfc="([^"]*)"/g, 'Rfc=" $1 "'),
      {},
    ],
    ['behind a byte order mark', (text) => `\uFEFF${text}`, {}],
    [
      'of names with character references',
      (text) => text.replace(/(<cfdi:Receptor[^>]*Nombre=")[^"]*/, '$1PE&#209;A &amp; &#xD1;AND&#xDA;'),
      { receiver: { rfc: payer.rfc, name: 'PEÑA & ÑANDÚ' } },
    ],
    [
      'for a generic receiver, without a name',
      (text) => text.replace(/(<cfdi:Receptor Rfc=")[^"]*" Nombre="[^"]*"/, '$1XEXX010101000"'),
      { receiver: { rfc: 'XEXX010101000', name: null } },
    ],
    [
      'with an element and an attribute of names that objects inherit',
      (text) => text.replace('<cfdi:Conceptos>', '<__proto__ __proto__="x"/><cfdi:Conceptos>'),
      {},
    ],
    ['without a folio', (text) => text.replace(/ Folio="[^"]*"/, ''), { folio: null }],
  ])('reads one %s', async (__, change, difference) => {
    expect(await askAbout(change(xml))).toEqual({ cfdi: { ...expected, ...difference }, cfdiProblem: null });
  });

  const laughs = Array.from({ length: 9 }, (__, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  it.each<[string, (text: string) => string | Buffer]>([
    [
      'with a billion laughs',
      (text) => text.replace('?>', `?><!DOCTYPE l [<!ENTITY l0 "lol">${laughs}]>`).replace('Cuotas IMSS', '&l9;'),
    ],
    ['with any DOCTYPE', (text) => text.replace('?>', '?><!DOCTYPE Comprobante SYSTEM "http://127.0.0.1:9/x.dtd">')],
    ['that is not well-formed', (text) => text.replace('</cfdi:Conceptos>', '')],
    ['before other text', (text) => `${text} end`],
    ['with two roots', (text) => `${text}<cfdi:Comprobante/>`],
    ['of another root', (text) => text.replaceAll('cfdi:Comprobante', 'cfdi:Retenciones')],
    ['of another namespace', (text) => text.replaceAll('http://www.sat.gob.mx/cfd/4', 'http://example.com/cfd/4')],
    ['of a version that its namespace is not of', (text) => text.replace('Version="4.0"', 'Version="3.3"')],
    ['of an unknown version', (text) => text.replaceAll('cfd/4', 'cfd/5').replace('Version="4.0"', 'Version="5.0"')],
    ['without a stamp', (text) => text.replace(/<tfd:[^>]*\/>/, '')],
    ['with two stamps', (text) => text.replace(/<tfd:[^>]*\/>/, '$&$&')],
    ['with two receivers', (text) => text.replace(/<cfdi:Receptor[^>]*\/>/, '$&$&')],
    ['without lines', (text) => text.replace(/<cfdi:Concepto .*\/>/g, '')],
    ['that pays back', (text) => text.replace('TipoDeComprobante="I"', 'TipoDeComprobante="E"')],
    ['whose total is not a decimal', (text) => text.replace(/ Total="[^"]*"/, ' Total="1,234.50"')],
    ['that has two totals', (text) => text.replace(/ Total="[^"]*"/, '$&$&')],
    ['whose RFC is none', (text) => text.replace(payer.rfc, 'NADA')],
    ['whose UUID is none', (text) => text.replace(/UUID="[^"]*"/, 'UUID="1234"')],
    ['of a day that is not in the calendar', (text) => text.replace(/ Fecha="\d{4}-\d\d-\d\d/, ' Fecha="2026-02-30')],
    ['of bytes that are not text', (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])],
    ['that declares another encoding', (text) => text.replace('UTF-8', 'ISO-8859-1')],
    [
      'of elements in elements',
      (text) => text.replace(/<cfdi:Concepto .*\/>/, `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`),
    ],
  ])('does not read one %s', async (__, change) => {
    expect(await askAbout(change(xml))).toEqual(unreadable());
    expect(padron.calls()).toEqual([DOWNLOAD, LINK]);
  });

  it('is not read if it is larger than any receipt', async () => {
    const padded = xml.replace('?>', `?><!--${'.'.repeat(131_072)}-->`);
    expect(await askAbout(padded)).toEqual(unreadable('The file is too large to be read as a CFDI. Read `content`.'));
  });

  it.each<[string, (text: string) => string, string]>([
    ['total', (text) => text.replace(/ Total="[^"]*"/, ' Total="1.00"'), 'total'],
    ['currency', (text) => text.replace('Moneda="MXN"', 'Moneda="USD"'), 'currency'],
    ['issuer', (text) => text.replace('IMS421231I45', 'EKU9003173C9'), 'issuer.rfc'],
    ['folio', (text) => text.replace(`-${receipt.folio}"`, '-999999"'), 'folio'],
    ['month', (text) => text.replace(/ Folio="\d{6}/, ' Folio="201912'), 'folio'],
    ['registration', (text) => text.replace(`-${registration}-`, '-Y6099999101-'), 'folio'],
    ['bare folio', (text) => text.replace(/ Folio="[^"]*"/, ' Folio="1234"'), 'folio'],
  ])('shows one whose %s contradicts the list, and says so', async (__, change, field) => {
    const { cfdi, cfdiProblem } = await askAbout(change(xml), byList(`xml { ${selection} }`));
    expect(cfdi.uuid).toBe(expected.uuid);
    expect(cfdiProblem).toEqual({
      code: 'CFDI_MISMATCH',
      message: `The CFDI contradicts the receipt that it belongs to, in ${field}. Do not rely on it.`,
      path: null,
      retryable: false,
    });
    expect(padron.calls()).toEqual([LIST, DOWNLOAD, LINK]);
  });

  it.each([
    ['its total with more zeros', (text: string) => text.replace(/ Total="([^"]*)"/, ' Total="$10000"')],
    [
      'its registration without the check digit',
      (text: string) => text.replace(`-${registration}-`, `-${registration.slice(0, 10)}-`),
    ],
    ['a folio of a form that is not known', (text: string) => text.replace(/ Folio="[^"]*"/, ' Folio="REC/1"')],
  ])('finds no contradiction in %s', async (__, change) => {
    expect(await askAbout(change(xml), byList(`xml { ${selection} }`))).toMatchObject({ cfdiProblem: null });
  });

  it('reads the documents that others publish', async () => {
    for (const [name, uuid, total] of [
      ['synthetic-imss-receipt.xml', '5B7E1D52-9C3A-4A1D-8F51-1B1A6E0C2D11', '136211.32'],
      ['cfdi40-valid.xml', '6F35D3B5-3651-5370-BC2C-14CDBE384CD7', '3327.01'],
    ] as const) {
      expect(await askAbout(readFileSync(join(published, name)))).toMatchObject({
        cfdi: { uuid, total },
        cfdiProblem: { code: 'CFDI_MISMATCH' },
      });
    }
  });
});

const namespaces = (count: number): string =>
  Array.from({ length: count }, (_, index) => `xmlns:b${index}="u"`).join(' ');
const children = (count: number): string => '<a xmlns:z="u"/>'.repeat(count);

const cost = (text: string): number => processorTime(() => readCfdi(Buffer.from(text)));

describe('a CFDI that is made to be expensive to read', () => {
  it.each([
    ['4,050 namespaces at its root and as many below it', `<c ${namespaces(4_050)}>${children(4_050)}</c>`],
    ['900 namespaces at its root and thousands below it', `<c ${namespaces(900)}>${children(6_200)}</c>`],
  ])('costs no more than another text of its length if it contains %s', (_, text) => {
    expect(text.length).toBeGreaterThan(110_000);
    expect(readCfdi(Buffer.from(text))).toBeNull();
    // Alone it takes about as long. A search through all namespaces for each child would take a hundred times as long.
    expect(cost(text)).toBeLessThan(8 * cost(`<c>${'<a z="u"/>'.repeat(text.length / 10)}</c>`));
  });

  it('is read with the namespace declaration that is in scope', () => {
    // A declaration of a child ends with the child: its siblings keep the one of the root.
    const changed = xml.replace(/<cfdi:Emisor[^>]*?\/>/, (tag) => `${tag}<q xmlns:cfdi="urn:other"><cfdi:Emisor/></q>`);
    expect(changed).not.toBe(xml);
    expect(readCfdi(Buffer.from(changed))).toEqual(readCfdi(Buffer.from(xml)));
    expect(readCfdi(Buffer.from(changed))).not.toBeNull();
  });
});
