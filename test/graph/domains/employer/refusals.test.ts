import {
  DOWNLOAD,
  LIST,
  NOW,
  ofEmployer,
  portalFailures,
  rejectedWithoutCall,
  SNAPSHOTS,
  SUBJECT,
  wrongRegistrations,
} from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';

const period = '2025-02';

/** Fields that call one endpoint by the registration, their value without an answer, and the parameter that the service rejects. */
const fields = [
  {
    selection: `receipts(period: "${period}") { ${lookup} period count warnings records { folio } }`,
    endpoint: LIST,
    nothing: { period, count: null, warnings: [], records: null },
    parameter: 'registro_patronal',
  },
  {
    selection: `receiptFiles(period: "${period}", folio: "123456") { ${lookup} warnings cacheStore pdf { url } xml { url } }`,
    endpoint: DOWNLOAD,
    nothing: { warnings: [], cacheStore: null, pdf: null, xml: null },
    parameter: 'registro_patronal',
  },
  {
    selection: `snapshots { ${lookup} setAside records { id } }`,
    endpoint: SNAPSHOTS,
    nothing: { setAside: null, records: null },
    parameter: 'registro_patronal',
  },
  {
    selection: `obligatedSubject { ${lookup} warnings record { id } }`,
    endpoint: SUBJECT,
    nothing: { warnings: [], record: null },
    parameter: 'rp',
  },
];

const padron = padronForTests({ now: () => NOW });

describe.each(fields)(
  'an employer whose registration $endpoint rejects',
  ({ selection, endpoint, nothing, parameter }) => {
    const askAbout = async (registration: string) => {
      const { data, errors } = await padron.ask(ofEmployer(`field: ${selection}`), { registration });
      expect(errors).toBeUndefined();
      return data.employer.field;
    };

    it.each(portalFailures)('gets «%s» of the service as %s, %s', async (...row) => {
      const [failure, outcome, code, billing, status, retryable] = row;
      expect(await askAbout(card(failure, 'registration'))).toMatchObject({
        outcome,
        problems: [{ code, retryable }],
        evidence: { endpoint, status, billing, units: 0, servedFrom: 'LIVE' },
        ...nothing,
      });
      expect(padron.calls()).toEqual([endpoint]);
    });

    it("points to the argument that the registry rejected, with the registry's message", async () => {
      const { problems } = await askAbout(card('unprocessable', 'registration'));
      expect(problems).toMatchObject([{ path: ['registration'], message: `El campo ${parameter} es obligatorio.` }]);
    });

    it.each(wrongRegistrations)('is rejected as %s without a call: %s', async (registration, code) => {
      expect(await askAbout(registration)).toEqual({ ...rejectedWithoutCall(code, ['registration']), ...nothing });
      expect(padron.calls()).toEqual([]);
    });
  },
);
