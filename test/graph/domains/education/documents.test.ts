import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people, type SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { pdfContent } from '../../../support/documents/pdf-text';
import { findOrThrow } from '../../../support/find-or-throw';
import { lookup } from '../../../support/operations/lookup';
import { CERTIFICATE, STATUS, STATUS_LINK } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withAltered } from '../../../support/proxies/altered-service';
import { orNull, wireData } from '../../../support/sandbox/wire';

const certificateQuery = `query ($folio: CertificateFolio!) { studyCertificate(folio: $folio) { ${lookup} record {
  id folio names paternalSurname maternalSurname institution certifiedAt status level kind gradeAverage career category
  stateCode state issuedAt } } }`;
const statusQuery = (document: string): string =>
  `query ($curp: CURP) { person(curp: $curp) { professionalStatus { ${lookup} record { curp document { ${document} } } } } }`;

const padron = padronForTests();

describe('Query.studyCertificate', () => {
  const certified = people.filter(({ certificate }) => certificate !== null);
  const isoOf = (text: string): string => text.replace(/^(\d\d)\/(\d\d)\/(\d{4}) /, '$3-$2-$1T');

  it.each<[string, (person: SandboxPerson) => boolean]>([
    ['that is registered', ({ certificate }) => certificate?.status === 'REGISTRADO'],
    ['of a person with one surname', ({ maternalSurname }) => maternalSurname === ''],
  ])('shows every column of a certificate %s', async (_, fits) => {
    const { certificate, ...holder } = findOrThrow(certified, fits);
    const folio = certificate?.folio ?? '';
    const wire = await wireData<Readonly<Record<string, unknown>>>(padron.sandbox, CERTIFICATE, { folio });
    const { data } = await padron.ask(certificateQuery, { folio });
    expect(data.studyCertificate).toMatchObject({ outcome: 'FOUND', problems: [] });
    const { names, paternalSurname } = holder;
    expect(data.studyCertificate.record).toEqual({
      ...{ id: String(wire.certificadoId), folio, names, paternalSurname },
      ...{ maternalSurname: orNull(holder.maternalSurname), institution: wire.institucion, career: wire.carrera },
      ...{ certifiedAt: isoOf(String(wire.fechaCertificado)), issuedAt: isoOf(String(wire.fechaEmision)) },
      ...{ status: certificate?.status, level: wire.tipoCertificacion, kind: wire.tipoCertificado },
      ...{ gradeAverage: wire.promedio, category: wire.tipo },
      ...{ stateCode: wire.idEntidadFederativa, state: wire.entidadFederativa },
    });
    expect(data.studyCertificate.record.issuedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  it('finds a folio in upper case, and sends it unchanged', async () => {
    const folio = (somebody.certificate?.folio ?? '').toUpperCase();
    const { data } = await padron.ask(certificateQuery, { folio: ` ${folio} ` });
    const record = { folio: folio.toLowerCase() };
    expect(data.studyCertificate).toMatchObject({ outcome: 'FOUND', problems: [], record });
    expect(padron.callsInFull()).toMatchObject([{ endpoint: CERTIFICATE, input: { folio } }]);
  });

  it('sends a folio of an unexpected shape, so that the registry can judge it', async () => {
    const { data } = await padron.ask(certificateQuery, { folio: 'A1-22' });
    expect(data.studyCertificate).toMatchObject({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'REJECTED_BY_REGISTRY', path: ['folio'], message: 'El folio no es válido.' }],
      evidence: { status: 400, units: 0 },
    });
  });

  it('gives null for dates and marks that cannot be read', async () => {
    const alter = (data: unknown) => ({
      ...(data as object),
      fechaEmision: '2020',
      promedio: 'MB',
      fechaCertificado: '',
    });
    await withAltered(alter, async ({ ask }) => {
      const { data } = await ask(certificateQuery, { folio: somebody.certificate?.folio });
      const record = { issuedAt: null, certifiedAt: null, gradeAverage: null, names: somebody.names };
      expect(data.studyCertificate).toMatchObject({ outcome: 'FOUND', record });
    });
  });
});

describe('Person.professionalStatus', () => {
  const everything = 'filename contentType sizeBytes url expiresAt content contentProblem { code retryable path }';
  const documentOf = async (curp: string, selection = everything) =>
    (await padron.ask(statusQuery(selection), { curp })).data.person.professionalStatus.record.document;

  it('gives the certificate as a PDF that names the person', async () => {
    const { data } = await padron.ask(statusQuery(everything), { curp: somebody.curp });
    const { outcome, evidence, record } = data.person.professionalStatus;
    expect({ outcome, evidence }).toMatchObject({ outcome: 'FOUND', evidence: { endpoint: STATUS, units: 2 } });
    expect(record).toEqual({
      curp: somebody.curp,
      document: {
        ...{ filename: null, contentType: 'application/pdf', sizeBytes: null, expiresAt: null, contentProblem: null },
        ...{ url: expect.stringContaining(`${padron.sandbox.url}/`), content: expect.any(String) },
      },
    });
    const pdf = Buffer.from(record.document.content, 'base64');
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await pdfContent(pdf)).text).toContain(somebody.curp);
  });

  it('fetches the link once for the bytes and their problem, without the token and free of charge', async () => {
    const before = padron.spent();
    await documentOf(somebody.curp);
    expect(padron.spent() - before).toBe(2);
    expect(padron.callsInFull()).toMatchObject([
      { endpoint: STATUS, account: SANDBOX_TOKEN },
      { endpoint: STATUS_LINK, account: '', units: 0, status: 200 },
    ]);
  });

  it('fetches nothing if the bytes are not selected', async () => {
    await documentOf(somebody.curp, 'url contentType filename sizeBytes expiresAt');
    expect(padron.calls()).toEqual([STATUS]);
  });

  it.each([[''], [null], [undefined]])(
    'is found without its link (%j), because a CURP that is not in the registry is not',
    async (url_constancia) => {
      const alter = (data: unknown) => ({ ...(data as object), url_constancia });
      await withAltered(alter, async ({ ask }) => {
        const { data, errors } = await ask(statusQuery('url contentProblem { code }'), { curp: somebody.curp });
        expect(errors).toBeUndefined();
        expect(data.person.professionalStatus).toMatchObject({
          outcome: 'FOUND',
          record: { curp: somebody.curp, document: { url: null, contentProblem: { code: 'UNUSABLE_FILE' } } },
          problems: [{ code: 'FIELD_UNREADABLE' }],
        });
      });
    },
  );
});
