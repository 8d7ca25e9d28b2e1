import { people } from '../../../src/extensions/sandbox/data/people';
import { findCredit, findHousingAccount } from '../../../src/graph/domains/housing/endpoints';
import { findOrThrow } from '../../support/find-or-throw';
import type { GraphqlAnswer } from '../../support/padrons/padron';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import {
  type AnswerFault,
  brokenEnvelopes,
  malformedBodies,
  unrelatedBodies,
  unusualAnswers,
} from '../../support/proxies/broken-answers';
import { INTERNALS, quickFaults, slowFaults, type TransportFault } from '../../support/proxies/broken-transport';
import { startProxy } from '../../support/proxies/tampering-proxy';

const CREDIT = findCredit.path;
const ACCOUNT = findHousingAccount.path;

const lookup = 'outcome evidence { status message billing units } problems { code message path retryable retryAfter }';
const query = `query ($nss: NSS) { person(nss: $nss) { credit { ${lookup} record { nss } } housingAccount { outcome } } }`;

const { nss } = findOrThrow(
  people,
  ({ credit, account, nss: digits }) => !!credit && !!account && !digits.startsWith('0'),
);

let padron: ProxiedPadron;
afterEach(() => {
  padron.proxy.reset();
  padron.calls();
});
afterAll(() => padron.stop());

/** Internal text that no answer may contain. Clients only get the service's documented messages. */
const internals = new RegExp(
  `${INTERNALS}|UND_ERR|HPE_|ECONN|EPIPE|socket|undici|zod|node_modules|<html|SyntaxError|127\\.0\\.0\\.1|\\.ts:\\d`,
  'i',
);

function expectOneCallEach({ proxy }: ProxiedPadron): void {
  expect(proxy.requests.map(({ path }) => path).sort()).toEqual([CREDIT, ACCOUNT]);
  expect(padron.calls()).toHaveLength(2);
}

function expectNothingWithin({ data, errors }: GraphqlAnswer): void {
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).not.toMatch(internals);
  expect(padron.log.join('\n')).not.toContain(nss);
  expect(padron.log.join('\n')).not.toContain(INTERNALS);
}

async function askDuring(fault: TransportFault): Promise<void> {
  padron.proxy.tamper((_answer, { path }) => (path === CREDIT ? fault.play : null));
  const answer = await padron.ask(query, { nss });
  expect(answer.data.person).toMatchObject({
    credit: {
      outcome: 'UNAVAILABLE',
      record: null,
      problems: [{ code: fault.code, retryable: true }],
      evidence: { message: null, billing: 'UNKNOWN', units: 0 },
    },
    housingAccount: { outcome: 'FOUND' },
  });
  expectNothingWithin(answer);
  expectOneCallEach(padron);
}

async function askFor({ outcome, code, billing, change }: AnswerFault): Promise<void> {
  padron.proxy.tamper((answer, { path }) => (path === CREDIT ? change(answer) : null));
  const answer = await padron.ask(query, { nss });
  expect(answer.data.person).toMatchObject({
    credit: {
      outcome,
      record: outcome === 'FOUND' ? { nss } : null,
      problems: code === null ? [] : [{ code }],
      evidence: { billing, units: billing === 'CHARGED' ? 1 : 0 },
    },
    housingAccount: { outcome: 'FOUND' },
  });
  expectNothingWithin(answer);
  expectOneCallEach(padron);
}

describe('a service whose connection fails', () => {
  beforeAll(async () => {
    padron = await runPadronBehindProxy();
  });

  it.each(quickFaults)('is reported as such and not called again if it $name', askDuring);
});

describe('a service that takes longer than the deadline', () => {
  beforeAll(async () => {
    await padron.stop();
    padron = await runPadronBehindProxy({ REGISTRY_TIMEOUT_MS: '300' });
    await padron.ask(query, { nss });
    padron.proxy.reset();
    padron.calls();
  });

  it.each(slowFaults)('is reported as such and not called again if it $name', askDuring);
});

describe('a service whose answer does not match its documentation', () => {
  beforeAll(async () => {
    await padron.stop();
    padron = await runPadronBehindProxy();
  });

  it.each([...unrelatedBodies, ...malformedBodies])('treats $name as a failure', askFor);

  it.each(brokenEnvelopes)('treats $name as a failure', askFor);

  it.each(unusualAnswers)('treats $name as an answer: $outcome', askFor);

  it('is not followed to the target of a redirect', async () => {
    const trap = await startProxy(() => padron.sandbox.url);
    try {
      padron.proxy.tamper((_answer, { path }) =>
        path === CREDIT ? { status: 302, headers: { location: `${trap.url}${path}` }, json: {} } : null,
      );
      const answer = await padron.ask(query, { nss });
      expect(answer.data.person.credit).toMatchObject({
        outcome: 'UNAVAILABLE',
        problems: [{ code: 'UNUSABLE_ANSWER' }],
        evidence: { status: 302, billing: 'UNKNOWN' },
      });
      expectNothingWithin(answer);
      expectOneCallEach(padron);
      expect(trap.requests).toEqual([]);
    } finally {
      await trap.close();
    }
  });
});
