import { gzipSync } from 'node:zlib';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { searchLicences } from '../../../src/graph/domains/education/endpoints';
import { addressOf } from '../../support/address-of';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { expectRefusal, type HttpAnswer, send } from '../../support/requests/http';
import { form } from '../../support/requests/multipart';

const padron = padronForTests();

/** A name of the sandbox with four licences. Its accents need bytes beyond ASCII. */
const name = { names: 'URIEL', paternalSurname: 'GUTIÉRREZ' };
const query = 'query ($name: PersonNameInput!) { person(name: $name) { licences(match: ALL) { outcome } } }';
const operation = JSON.stringify({ query, variables: { name } });

function sendBody(body: Buffer | string, contentType: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { 'content-type': contentType, authorization: `Bearer ${SANDBOX_TOKEN}`, ...more };
  return send(padron.url, { method: 'POST', headers, body });
}
const messageOf = ({ text }: HttpAnswer): string => JSON.parse(text).errors[0].message;
const outcomeOf = ({ text }: HttpAnswer): string => JSON.parse(text).data.person.licences.outcome;

describe('the charset of a request', () => {
  it.each<[what: string, contentType: string, encoding: BufferEncoding, mark: string]>([
    ['UTF-8', 'application/json', 'utf8', ''],
    ['UTF-8 with a byte order mark', 'application/json', 'utf8', '\ufeff'],
    ['UTF-8 by name', 'Application/JSON ; charset="UTF-8"', 'utf8', ''],
    ['Latin-1 by name', 'application/json; charset=ISO-8859-1', 'latin1', ''],
    ['Windows-1252 by name', 'application/json;charset=windows-1252', 'latin1', ''],
    ['UTF-16 by name', 'application/json; charset=utf-16', 'utf16le', ''],
  ])('is read: %s', async (_what, contentType, encoding, mark) => {
    const answer = await sendBody(Buffer.from(mark + operation, encoding), contentType);
    expect(outcomeOf(answer)).toBe('FOUND');
    expect(padron.calls()).toEqual([addressOf(searchLicences)]);
  });

  it('is read with the letters that Windows-1252 has and Latin-1 lacks', async () => {
    const body = Buffer.from(operation.replace('URIEL', '\u008eELJKO'), 'latin1');
    await sendBody(body, 'application/json; charset=windows-1252');
    expect(padron.callsInFull()).toMatchObject([{ input: { nombres: 'ŽELJKO' } }]);
  });

  it.each([
    ['Latin-1 without a name', 'application/json', 'latin1', 400, 'BAD_REQUEST', 'The request body is not UTF-8. '],
    ['Latin-1 as UTF-8', 'application/json; charset=utf-8', 'latin1', 400, 'BAD_REQUEST', 'is not UTF-8. '],
    ['UTF-8 as Latin-1', 'application/json; charset=latin1', 'utf8', 400, 'BAD_REQUEST', 'of the charset in its'],
    ['an unknown charset', 'application/json; charset=cp850', 'utf8', 415, 'UNSUPPORTED_MEDIA_TYPE', 'Send UTF-8.'],
    ['an empty charset', 'application/json; charset=""', 'utf8', 415, 'UNSUPPORTED_MEDIA_TYPE', 'Send UTF-8.'],
  ] as const)('is refused before a call: %s', async (_what, contentType, encoding, status, code, message) => {
    const answer = await sendBody(Buffer.from(operation, encoding), contentType);
    expectRefusal(answer, status, code);
    expect(messageOf(answer)).toContain(message);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a compressed request', () => {
  const zipped = gzipSync(operation);

  it.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'unheard'])('is refused as %s', async (coding) => {
    const answer = await sendBody(zipped, 'application/json', { 'content-encoding': coding });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(messageOf(answer)).toContain('`content-encoding`');
  });

  it('is refused as a form too', async () => {
    const { contentType, body } = form([{ name: 'operations', body: operation }]);
    const headers = { 'content-encoding': 'gzip', 'apollo-require-preflight': 'true' };
    expectRefusal(await sendBody(gzipSync(body), contentType, headers), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['', 'identity', 'Identity, identity'])('is read if the header names no compression: %j', async (coding) => {
    expect(outcomeOf(await sendBody(operation, 'application/json', { 'content-encoding': coding }))).toBe('FOUND');
    padron.calls();
  });
});

describe('a body with a name that may change the objects of a program', () => {
  it.each(['{"query":"{ __typename }","variables":{"__proto__":1}}', '{"query":"","constructor":{"prototype":{}}}'])(
    'is refused by that name: %s',
    async (body) => {
      const answer = await sendBody(body, 'application/json');
      expectRefusal(answer, 400, 'BAD_REQUEST');
      expect(messageOf(answer)).toMatch(/`__proto__`.*`constructor`/);
    },
  );
});
