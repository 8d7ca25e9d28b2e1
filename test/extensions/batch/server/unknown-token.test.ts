import { OTHER_TOKEN, SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { proxiedPadronForEachTest } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { priceOf } from '../../../support/requests/money';
import { engineRig, engines } from '../../../support/stores/engines';

const rows = NSS.slice(0, 3).map((nss) => ({ nss }));
const CHECK = { endpoint: 'POST /api/infonavit/grupo/buscar-credito', input: {}, units: 0, sandbox: true };

describe.each(engines)('a token that the service has not accepted yet, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = proxiedPadronForEachTest({}, rig);

  it('is checked once by a free request, and can create batches afterwards', async () => {
    for (const token of [SANDBOX_TOKEN, UNPERMITTED_TOKEN]) {
      const client = new BatchClient(padron, token);
      await Promise.all([client.ready(CREDIT, rows), client.ready(CREDIT, rows)]);
      await client.ready(CREDIT, rows);
      expect(padron.callsInFull().filter(({ account }) => account === token)).toMatchObject([CHECK]);
      expect(padron.spent(token)).toBe(0);
    }
  });

  it.each([
    ['a page of a firewall', 403, '<h1>Access denied</h1>'],
    ['JSON of a gateway', 403, '{"message":"Forbidden"}'],
    ['JSON of another API', 403, '{"success":false,"errors":[{"code":9109}],"messages":[]}'],
    ['a page', 402, '<h1>Payment required</h1>'],
    ['an empty object', 422, '{}'],
    ['another envelope', 422, '{"message":"Invalid","errors":[]}'],
    ['a page', 400, '<h1>Bad request</h1>'],
    ['a body of another status', 403, '{"success":false,"message":"No encontrado.","status":404}'],
  ])('is not accepted because of %s with %i', async (_what, status, text) => {
    padron.proxy.standIn(() => ({ status, bytes: Buffer.from(text) }));
    const client = new BatchClient(padron, OTHER_TOKEN);
    const { batch, problems } = await client.create({ operation: CREDIT, rows });
    expect(batch).toBeNull();
    expect(problems).toMatchObject([{ code: 'UNUSABLE_ANSWER', message: expect.stringContaining(`HTTP ${status}`) }]);
    padron.proxy.reset();
    await client.ready(CREDIT, rows);
  });

  it.each([
    [402, { success: false, codigoValidacion: 'x', message: 'El saldo es insuficiente.', status: 402 }],
    [403, { success: false, message: 'No tiene el permiso.', status: 403 }],
    [422, { message: 'El campo nss es obligatorio.', errors: { nss: ['El campo nss es obligatorio.'] } }],
  ])('is accepted if the service answers %i with its envelope', async (status, json) => {
    padron.proxy.standIn(() => ({ status, json }));
    const { problems } = await new BatchClient(padron, OTHER_TOKEN).create({ operation: CREDIT, rows });
    expect(problems).toEqual([]);
  });

  it('is not checked for a dry run or for invalid input', async () => {
    const query = `mutation { createRegistryBatch(input: { operation: "{ __typename }" }) { batch { id } } }`;
    await priceOf(padron, { query });
    const client = new BatchClient(padron);
    expect((await client.create({ operation: CREDIT, name: ' ' })).problems).toMatchObject([
      { code: 'INVALID_FORMAT' },
    ]);
    expect(padron.callsInFull()).toEqual([]);
  });
});
