import { builtInAccounts, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { findOrThrow } from '../../support/find-or-throw';
import { preparePadron } from '../../support/padrons/ledger';
import { engineRig, engines } from '../../support/stores/engines';

const person = findOrThrow(people, ({ credit, licences }) => credit !== null && licences.length > 0);
const query = 'query Check($nss: NSS!) { person(nss: $nss) { credit { outcome evidence { validationCode units } } } }';
const otherToken = findOrThrow(builtInAccounts, ({ token }) => token !== SANDBOX_TOKEN).token;
const variables = { nss: person.nss };

describe.each(engines)('the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('gives an account the same name after a restart, and different accounts different names', async () => {
    const prepared = await preparePadron(rig);
    const service = await startSandbox();
    for (const token of [SANDBOX_TOKEN, SANDBOX_TOKEN, otherToken]) {
      const padron = await prepared.start({ registryUrl: () => service.url });
      await padron.ask(query, variables, { authorization: `Bearer ${token}` });
      await padron.ask(query, variables, { authorization: `Bearer ${token}`, 'x-sandbox': 'true' });
      await padron.stop();
    }
    await service.close();
    const [live, sandbox, liveAgain, sandboxAgain, ...others] = (await prepared.rows()).map(({ account }) => account);
    expect([liveAgain, sandboxAgain]).toEqual([live, sandbox]);
    expect(new Set([live, sandbox, ...others]).size).toBe(4);
  });

  it('does not record questions that were not sent', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    await padron.ask(query, { nss: '11111111111' });
    await padron.ask(query, variables, { 'x-max-units': '0' });
    await padron.ask(query, variables, { authorization: 'Bearer unknown' });
    await padron.ask(query, variables, { 'x-dry-run': 'true' });
    await padron.stop();
    expect(await prepared.rows()).toEqual([]);
  });

  it('drops labels that look like an identifier', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    await padron.ask(query.replace('Check', `Check${person.nss}`), variables, {
      'apollographql-client-name': person.curp,
      'x-tag': person.nss,
    });
    await padron.stop();
    expect(await prepared.rows()).toMatchObject([{ client: null, tag: null, operation: null }]);
  });
});
