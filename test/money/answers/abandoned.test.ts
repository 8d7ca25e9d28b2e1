import { people } from '../../../src/extensions/sandbox/data/people';
import { ACCOUNT, CREDIT, IDENTITY } from '../../support/operations/people-endpoints';
import type { RunningPadron } from '../../support/padrons/padron';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { holdResponses, waitForDisconnect } from '../../support/proxies/held-responses';
import { askPriced, type PricedAnswer } from '../../support/requests/money';

const creditQuery =
  'query ($nss: NSS) { person(nss: $nss) { credit { outcome evidence { validationCode servedFrom units } } } }';
const profileQuery =
  'query ($nss: NSS) { person(nss: $nss) { credit { outcome evidence { validationCode servedFrom units } } housingAccount { outcome } } }';
const identityQuery =
  'query ($nss: NSS) { person(nss: $nss) { identity { outcome evidence { servedFrom units } problems { code } } } }';

const padron = proxiedPadronForTests({ REPLAY_SECONDS: '30' });
/** A padron that makes one call at a time, so that a second call is queued. */
const narrow = proxiedPadronForTests({ REPLAY_SECONDS: '30', REGISTRY_CONCURRENCY: '1' });

const strangers = people.values();
function stranger(): string {
  for (const { nss, credit, account } of strangers) if (credit && account !== null) return nss;
  throw new Error('The sandbox has run out of people.');
}

const ask = (of: RunningPadron, nss: string, query = creditQuery, signal?: AbortSignal): Promise<PricedAnswer> =>
  askPriced(of, { query, variables: { nss } }, {}, signal);

/** A client that can give up. */
function client(of: RunningPadron, nss: string, query = creditQuery) {
  const controller = new AbortController();
  const answer = ask(of, nss, query, controller.signal);
  const outcome = answer.then(
    ({ data }) => data.person.credit.outcome,
    () => 'gave up',
  );
  const giveUp = async (): Promise<void> => {
    controller.abort();
    expect(await outcome).toBe('gave up');
    await waitForDisconnect(of.url);
  };
  return { answer, giveUp };
}

const creditIn = ({ data }: PricedAnswer) => data.person.credit;

describe('a client that disconnects while its call is in progress', () => {
  it('loses nothing: a retry waits for the answer of the call in progress', async () => {
    const nss = stranger();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const impatient = client(padron, nss);
    await held.arrived(1);
    await impatient.giveUp();
    const retry = ask(padron, nss, profileQuery);
    await held.arrived(2);
    held.release();
    expect(creditIn(await retry)).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY', units: 0 } });
    expect(padron.calls()).toEqual([CREDIT, ACCOUNT]);
  });

  it.each(['first', 'second'] as const)(
    'does not take the answer from the other of two clients: the %s disconnects',
    async (who) => {
      const nss = stranger();
      const held = holdResponses(padron.proxy, 'buscar-credito');
      const first = client(padron, nss);
      await held.arrived(1);
      const second = client(padron, nss, profileQuery);
      await held.arrived(2);
      await { first, second }[who].giveUp();
      held.release();
      const stays = await (who === 'first' ? second : first).answer;
      expect(creditIn(stays).outcome).toBe('FOUND');
      expect(padron.calls()).toEqual([CREDIT, ACCOUNT]);
    },
  );

  it('pays for no further call of its operation', async () => {
    const nss = stranger();
    const held = holdResponses(padron.proxy);
    const impatient = client(padron, nss, identityQuery);
    await held.arrived(1);
    await impatient.giveUp();
    held.release();
    await waitForDisconnect(padron.url);
    expect(padron.calls()).toEqual([CREDIT]);
    const retry = await ask(padron, nss, identityQuery);
    expect(retry.data.person.identity).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'LIVE', units: 1 } });
    expect(retry.units).toMatchObject({ spent: 1, saved: 1 });
    expect(padron.calls()).toEqual([IDENTITY]);
  });
});

describe('a client that disconnects while its call is queued', () => {
  it('causes no call', async () => {
    const [busy, nss] = [stranger(), stranger()];
    const held = holdResponses(narrow.proxy);
    const occupant = ask(narrow, busy);
    await held.arrived(1);
    const impatient = client(narrow, nss);
    await waitForDisconnect(narrow.url);
    await impatient.giveUp();
    held.release();
    await occupant;
    expect(creditIn(await ask(narrow, busy, profileQuery)).outcome).toBe('FOUND');
    expect(narrow.calls()).toEqual([CREDIT, ACCOUNT]);
    const retry = await ask(narrow, nss);
    expect(creditIn(retry).evidence).toMatchObject({ servedFrom: 'LIVE', units: 1 });
  });

  it('does not cancel the queued call of another client with the same question', async () => {
    const [busy, nss] = [stranger(), stranger()];
    const held = holdResponses(narrow.proxy);
    const occupant = ask(narrow, busy);
    await held.arrived(1);
    const first = client(narrow, nss);
    await waitForDisconnect(narrow.url);
    const second = client(narrow, nss);
    await waitForDisconnect(narrow.url);
    await first.giveUp();
    held.release();
    expect(creditIn(await second.answer).outcome).toBe('FOUND');
    await occupant;
    expect(narrow.calls()).toEqual([CREDIT, CREDIT]);
  });
});
