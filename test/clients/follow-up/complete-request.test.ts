import { parse } from 'graphql';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import { holdResponses } from '../../support/proxies/held-responses';
import { networkForTests } from '../clients';
import { pageClients } from '../lookups-page';

const query = parse(`query Person($nss: NSS!, $curp: CURP!) {
  person(nss: $nss, curp: $curp) {
    nss
    curp
    credit { ...Answer record { names } }
    identity { ...Answer record { curp names } }
    housingAccount { ...Answer record { totalBalance } }
    consistency { status fields { field agree differ silent } }
  }
}
fragment Answer on RegistryLookup { outcome problems { code retryable retryAfter } evidence { validationCode checkedAt } }`);

const uriel = findOrThrow(people, ({ nss }) => nss === '04159600263');
const failure = { status: 503, json: {}, bytes: Buffer.from('{}') };

/** People, the registry that fails, and what one complete request says about them. */
const cases: readonly (readonly [string, { nss: string; curp: string }, string | null, string])[] = [
  ['whose registries agree', { nss: uriel.nss, curp: uriel.curp }, null, 'CONSISTENT'],
  ['whose registries contradict each other', { nss: uriel.nss, curp: 'MUMC530509MNLXRL02' }, null, 'CONFLICTING'],
  ['with a registry that fails', { nss: uriel.nss, curp: uriel.curp }, 'obtener-cuenta', 'CONSISTENT'],
];

const network = networkForTests();
const padron = proxiedPadronForEachTest({ REPLAY_SECONDS: '30' });

const earlyNetwork = {
  ...network,
  fetch: (input: Parameters<typeof fetch>[0], init: RequestInit = {}) =>
    network.fetch(input, { ...init, headers: { ...Object(init.headers), 'x-answer-within': '300ms' } }),
};

describe.each(pageClients)('a page with early responses, with %s', (_client, open) => {
  it.each(cases)(
    'shows in the end what one complete request says about a person %s',
    async (_, variables, failing, status) => {
      const fail = (): void =>
        padron.proxy.standIn(({ path }) => (failing !== null && path.endsWith(failing) ? failure : null));
      fail();
      const held = holdResponses(padron.proxy, 'buscar-credito');
      const page = open(padron.url, earlyNetwork, query, variables);
      const retried = page.retry();
      await page.ask();
      expect(page.shown().person.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      held.release();
      expect(await retried).toBe('complete');
      const shown = page.shown().person;
      expect(shown.consistency.status).toBe(status);
      expect(padron.proxy.requests.map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual([
        'buscar-credito',
        'obtener-cuenta',
        'valida-curp',
      ]);
      expect(padron.spent()).toBe(failing === null ? 3 : 2);

      const unused = await runPadronBehindProxy({ REPLAY_SECONDS: '30' });
      try {
        unused.proxy.standIn(({ path }) => (failing !== null && path.endsWith(failing) ? failure : null));
        const complete = open(unused.url, network, query, variables);
        await complete.ask();
        expect(withoutProofs(shown)).toEqual(withoutProofs(complete.shown().person));
      } finally {
        await unused.stop();
      }
    },
  );
});

/** Returns an answer without what differs from request to request. A failure that is replayed says how long. */
function withoutProofs(person: object): unknown {
  return JSON.parse(
    JSON.stringify(person, (name, value) =>
      ['evidence', '__typename', 'retryAfter'].includes(name) ? undefined : value,
    ),
  );
}
