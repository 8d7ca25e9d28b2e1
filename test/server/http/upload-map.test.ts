import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { byMultipart, credentialOf, TODAY, uploadOperation, VERIFY } from '../../support/keys/signatures';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { expectRefusal, send } from '../../support/requests/http';
import { form } from '../../support/requests/multipart';

const person = credentialOf('person');
const certificate = 'variables.input.certificate.upload';
const key = 'variables.input.privateKey.upload';
const { query, variables } = uploadOperation(person);
const operations = { query, variables: { ...variables, list: [null], text: 'text', none: null } };

describe('the map of an upload', () => {
  const padron = padronForTests({ now: () => TODAY });

  function submit(map: string, operated: unknown = operations) {
    const { contentType, body } = form([
      { name: 'operations', body: JSON.stringify(operated) },
      { name: 'map', body: map },
      { name: '0', filename: 'file', body: person.certificate },
      { name: '1', filename: 'file', body: person.privateKey },
    ]);
    const headers = {
      'content-type': contentType,
      authorization: `Bearer ${SANDBOX_TOKEN}`,
      'apollo-require-preflight': 'true',
    };
    return send(padron.url, { method: 'POST', headers, body });
  }

  it.each([
    ['a method of every object', 'hasOwnProperty.call'],
    ['another method of every object', 'toString.call'],
    ['a property of such a method', 'valueOf.x'],
    ['a method of a variable', 'variables.hasOwnProperty.call'],
    ['a method of a list', 'variables.list.push.call'],
    ['a method of a text', 'variables.text.trim.call'],
    ['the prototype', 'variables.__proto__.polluted'],
    ['the constructor', 'variables.constructor.prototype.polluted'],
    ['the document', 'query'],
    ['a place within the document', 'query.length'],
    ['all variables', 'variables'],
    ['the name of the operation', 'operationName'],
    ['a variable that is not there', 'variables.nobody'],
    ['a variable that is not null', 'variables.text'],
    ['an object', 'variables.input'],
    ['a place below null', 'variables.none.upload'],
    ['an index out of range', 'variables.list.1'],
    ['an index that is none', 'variables.list.00'],
    ['a negative index', 'variables.list.-1'],
    ['the length of a list', 'variables.list.length'],
    ['an operation of a batch', '0.variables.input.certificate.upload'],
    ['an empty name', 'variables..upload'],
    ['nothing', ''],
  ])('must lead to a null in the variables, not to %s', async (_what, path) => {
    expectRefusal(await submit(JSON.stringify({ 0: [path], 1: [key] })), 400, 'BAD_REQUEST');
    expect((await padron.ask('query ($nss: NSS) { person(nss: $nss) { nss } }', {})).status).toBe(200);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['the same place twice for one file', { 0: [certificate, certificate], 1: [key] }],
    ['one place for two files', { 0: [certificate], 1: [certificate] }],
    ['a place that is no text', { 0: [[certificate]], 1: [key] }],
    ['places that are an object', { 0: { length: 1, 0: certificate }, 1: [key] }],
    ['no places', { 0: null, 1: [key] }],
    ['a list', [[certificate], [key]]],
    ['four thousand places', { 0: Array.from({ length: 4_000 }, (_, index) => `a.${index}`), 1: [key] }],
  ])('must not have %s', async (_what, map) => {
    expectRefusal(await submit(JSON.stringify(map)), 400, 'BAD_REQUEST');
    expect((await padron.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
    expect(padron.calls()).toEqual([]);
  });

  it('must not lead into a member named `__proto__`', async () => {
    const operated = `{"query":"{ __typename }","variables":{"__proto__":{"a":null}}}`;
    expectRefusal(await submit('{"0":["variables.__proto__.a"]}', JSON.parse(operated)), 400, 'BAD_REQUEST');
    expect('a' in {}).toBe(false);
  });

  it('is applied if it is valid, even with one file in two places', async () => {
    expect((await byMultipart(padron, person)).data.verifySignature.valid).toBe(true);
    expect(padron.calls()).toEqual([VERIFY]);
    const { status, text } = await submit(JSON.stringify({ 0: [certificate, key] }));
    expect([status, JSON.parse(text).errors]).toEqual([200, undefined]);
    expect(JSON.parse(text).data.verifySignature.problems).toHaveLength(1);
    padron.calls();
  });
});
