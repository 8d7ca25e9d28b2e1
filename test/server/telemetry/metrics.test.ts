import { version } from '../../../package.json';
import { metricsPage } from '../../../scripts/metrics-page';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { bearer, JWT_SECRET } from '../../support/keys/identity-provider';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import { padronForEachTest, proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';
import { readPage } from '../../support/pages';
import { holdResponses } from '../../support/proxies/held-responses';
import { scrapeMetrics, waitForMetric } from '../../support/requests/scrape-metrics';
import { card } from '../../support/sandbox/cards';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));

const ofPerson = (nss: string, fields: string) => `{ person(nss: "${nss}") { ${fields} } }`;

describe('the metrics', () => {
  const padron = padronForEachTest({ environment: { REPLAY_SECONDS: '30' } });

  it('are in the format of Prometheus, and need no token', async () => {
    const { contentType, text } = await scrapeMetrics(padron);
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(/^# HELP padron_units_spent_total .+\n# TYPE padron_units_spent_total counter$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
  });

  it('tell the versions of padron and of Node', async () => {
    const labels = { version, node_version: process.versions.node };
    expect((await scrapeMetrics(padron)).of('padron_build_info', labels)).toBe(1);
  });

  it('count calls, units and outcomes by endpoint, as the ledger of the service does', async () => {
    await padron.ask(ofPerson(person.nss, 'credit { outcome } housingAccount { outcome }'));
    await padron.ask(ofPerson(card('not-found', 'nss'), 'credit { outcome }'));
    await padron.ask(ofPerson(card('server-error', 'nss'), 'credit { outcome }'));
    const metrics = await scrapeMetrics(padron);
    const answers = (endpoint: string, outcome: string) =>
      metrics.of('padron_registry_answers_total', { endpoint, outcome, served_from: 'LIVE' });
    expect([answers(CREDIT, 'FOUND'), answers(CREDIT, 'NOT_FOUND'), answers(CREDIT, 'UNAVAILABLE')]).toEqual([1, 1, 1]);
    expect(answers(ACCOUNT, 'FOUND')).toBe(1);
    expect(metrics.of('padron_units_spent_total', { endpoint: CREDIT })).toBe(2);
    expect(metrics.of('padron_units_uncertain_total', { endpoint: CREDIT })).toBe(1);
    expect(metrics.of('padron_units_spent_total')).toBe(3);
    expect(padron.spent()).toBe(3);
    expect(metrics.of('padron_registry_call_seconds_count', { endpoint: CREDIT })).toBe(3);
    expect(metrics.of('padron_registry_call_seconds_count')).toBe(padron.calls().length);
  });

  it('count saved units: of repeated requests, and of repeated fields in one request', async () => {
    const query = ofPerson(person.nss, 'credit { outcome } again: credit { outcome }');
    await padron.ask(query);
    await padron.ask(query);
    const metrics = await scrapeMetrics(padron);
    expect(metrics.of('padron_units_spent_total')).toBe(1);
    expect(metrics.of('padron_units_saved_total', { endpoint: CREDIT })).toBe(3);
    expect(metrics.of('padron_registry_answers_total', { served_from: 'REPLAY' })).toBe(1);
    expect(metrics.of('padron_registry_call_seconds_count')).toBe(1);
  });

  it('have durations of calls only, and none of shared answers, in sandbox mode too', async () => {
    const headers = { 'x-sandbox': 'true', 'x-sandbox-delay': 'buscar-credito=1s' };
    await Promise.all([1, 2, 3].map(() => padron.ask(ofPerson(person.nss, 'credit { outcome }'), {}, headers)));
    const metrics = await scrapeMetrics(padron);
    expect(padron.calls()).toEqual([CREDIT]);
    expect(metrics.of('padron_registry_call_seconds_count')).toBe(1);
    expect(metrics.of('padron_registry_answers_total', { served_from: 'SANDBOX' })).toBe(3);
    expect(metrics.of('padron_units_spent_total')).toBe(0);
  });

  it('count questions that were not sent, by outcome', async () => {
    await padron.ask(ofPerson('12345678901', 'credit { outcome } identity { outcome }'));
    const metrics = await scrapeMetrics(padron);
    expect(metrics.of('padron_questions_refused_total', { outcome: 'INVALID_INPUT' })).toBe(1);
    expect(metrics.of('padron_questions_refused_total', { outcome: 'NOT_RUN' })).toBe(1);
    expect(metrics.of('padron_registry_answers_total')).toBe(0);
  });

  it.each<[string, string, string, Readonly<Record<string, string>>]>([
    ['UNAUTHENTICATED', ofPerson(person.nss, 'credit { outcome }'), 'no token', { authorization: '' }],
    ['GRAPHQL_VALIDATION_FAILED', '{ nobody }', 'a wrong document', {}],
    ['GRAPHQL_PARSE_FAILED', '{', 'no document', {}],
    ['UNIT_BUDGET_EXCEEDED', ofPerson(person.nss, 'credit { outcome }'), 'a small budget', { 'x-max-units': '0' }],
    ['BAD_USER_INPUT', '{ __typename }', 'a wrong header', { 'x-max-units': 'many' }],
  ])('count errors by code: %s', async (code, query, _, headers) => {
    await padron.ask(query, {}, headers);
    const metrics = await scrapeMetrics(padron);
    expect(metrics.of('padron_errors_total', { code })).toBe(1);
    expect(metrics.of('padron_errors_total')).toBe(1);
  });

  it('have the durations of requests, by status', async () => {
    await padron.ask('{ __typename }');
    await padron.ask('{');
    const metrics = await scrapeMetrics(padron);
    expect(metrics.of('padron_request_seconds_count', { status: '200' })).toBe(1);
    expect(metrics.of('padron_request_seconds_count', { status: '400' })).toBe(1);
  });
});

describe('the metrics under load', () => {
  const padron = proxiedPadronForTests({ REGISTRY_CONCURRENCY: '2' });

  it('show running and waiting calls', async () => {
    const held = holdResponses(padron.proxy);
    const five = Array.from(
      { length: 5 },
      (_, index) => `p${index}: person(nss: "${people[index]?.nss}") { credit { outcome } }`,
    );
    const asked = padron.ask(`{ ${five.join(' ')} }`);
    await held.arrived(2);
    await waitForMetric(padron, 'padron_registry_calls_waiting', 3);
    expect((await scrapeMetrics(padron)).of('padron_registry_calls_running')).toBe(2);
    held.release();
    await asked;
    const after = await scrapeMetrics(padron);
    expect([after.of('padron_registry_calls_running'), after.of('padron_registry_calls_waiting')]).toEqual([0, 0]);
  });

  it('show paused registries, and have no durations of calls that were not sent', async () => {
    padron.proxy.reset();
    padron.proxy.standIn(() => ({ status: 503 }));
    const before = (await scrapeMetrics(padron)).of('padron_registry_call_seconds_count');
    const query = ofPerson(person.nss, 'credit { outcome problems { code } }');
    for (let time = 0; time < 10; time += 1) await padron.ask(query);
    expect((await scrapeMetrics(padron)).of('padron_registry_paused', { registry: 'housing' })).toBe(1);
    const { data } = await padron.ask(query);
    expect(data.person.credit.problems).toEqual([{ code: 'REGISTRY_PAUSED' }]);
    const metrics = await scrapeMetrics(padron);
    expect(metrics.of('padron_registry_call_seconds_count') - before).toBe(10);
    expect(metrics.of('padron_registry_answers_total', { outcome: 'NOT_RUN', served_from: 'NOT_SENT' })).toBe(1);
    expect(metrics.of('padron_registry_paused')).toBe(1);
  });
});

describe('docs/metrics.md', () => {
  it('is what `npm run print:metrics` prints', () => {
    expect(readPage('docs/metrics.md').text).toBe(metricsPage());
  });
});

const { nss } = findOrThrow(people, ({ credit, licences }) => Boolean(credit) && licences.length > 0);

describe('the metrics of questions that padron rejects', () => {
  it('count questions of callers without the permission', () =>
    withPadron({ environment: { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET } }, async (padron) => {
      const headers = bearer({});
      await padron.ask(`{ person(nss: "${nss}") { credit { outcome } } }`, {}, headers);
      const metrics = await scrapeMetrics(padron);
      expect(metrics.of('padron_questions_refused_total', { outcome: 'NOT_PERMITTED' })).toBe(1);
      expect(metrics.of('padron_registry_answers_total')).toBe(0);
      expect(JSON.parse(padron.log.at(-1) ?? '')).toMatchObject({ outcomes: { NOT_PERMITTED: 1 }, units: 0 });
    }));
});
