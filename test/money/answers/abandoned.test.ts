import { people } from '../../../src/extensions/sandbox/data/people';
import { CREDIT } from '../../support/operations/people-endpoints';
import type { RunningPadron } from '../../support/padrons/padron';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { holdResponses, waitForDisconnect } from '../../support/proxies/held-responses';
import { askPriced, type PricedAnswer } from '../../support/requests/money';

const creditQuery =
  'query ($nss: NSS) { person(nss: $nss) { credit { outcome evidence { validationCode servedFrom units } } } }';

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

describe('a client that disconnects while its call is queued', () => {
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
