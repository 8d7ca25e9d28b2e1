import { parse } from 'csv-parse/sync';
import { preparePadron } from '../support/padrons/ledger';
import type { RunningPadron } from '../support/padrons/padron';
import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { indebted } from '../support/requests/credit-request';
import { sendRaw } from '../support/requests/http';
import { engineRig, engines } from '../support/stores/engines';

const check = 'query Check($nss: NSS!) { person(nss: $nss) { credit { evidence { ledgerId } } } }';
const urlQuery = '{ registryLedger(first: 1) { csvUrl } }';
const urlOf = async (padron: RunningPadron): Promise<string> => (await padron.ask(urlQuery)).data.registryLedger.csvUrl;

describe.each(engines)('the CSV file of the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let now = new Date('2026-02-10T12:00:00Z');
  const padron = ledgerPadronForTests(rig, {}, { now: () => now });

  it('is served to anyone with the link, without caching, and has the entries of all pages', async () => {
    const ids: string[] = [];
    // One question about each person, because a call that still closes is shared.
    for (const nss of indebted.slice(0, 3)) {
      const { data } = await padron.ask(check, { nss }, { 'x-client-name': '=cmd()', 'x-tag': 'a,"b"' });
      ids.unshift(data.person.credit.evidence.ledgerId);
    }
    padron.calls();
    const response = await fetch(await urlOf(padron));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="padron-ledger-2026-02-10.csv"',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const rows = parse(await response.text(), { columns: true, bom: true }) as readonly Record<string, string>[];
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows[0]).toMatchObject({
      client: "'=cmd()",
      tag: 'a,"b"',
      operation: 'Check',
      units: '1',
      billing: 'CHARGED',
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is in Spanish if the link says so, with its name and its errors', async () => {
    const url = await urlOf(padron);
    const response = await fetch(`${url}&language=es`);
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="padron-libro-de-consumo-2026-02-10.csv"',
    );
    const [row] = parse(await response.text(), { columns: true, bom: true }) as readonly Record<string, string>[];
    expect(row).toMatchObject({ operación: 'Check', unidades: '1', cobro: 'Cobrado', etiqueta: 'a,"b"' });
    const expired = await fetch(`${padron.url}/ledger.csv?link=x&language=es`);
    expect([expired.status, await expired.text()]).toEqual([404, expect.stringContaining('Este enlace ya venció')]);
    expect(padron.calls()).toEqual([]);
  });

  it('is served for ten minutes', async () => {
    const url = await urlOf(padron);
    now = new Date(now.getTime() + 599_000);
    expect((await fetch(url)).status).toBe(200);
    now = new Date(now.getTime() + 1_000);
    const late = await fetch(url);
    expect([late.status, await late.json()]).toMatchObject([404, { errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
  });

  it.each(['', '?link=', '?link=x', '?link=a&link=b', '?link[]=x', `?link=${'A'.repeat(5_000)}`])(
    'answers 404 without a valid link: %s',
    async (search) => {
      const response = await fetch(`${padron.url}/ledger.csv${search}`);
      expect([response.status, await response.json()]).toMatchObject([404, { errors: [{}] }]);
    },
  );

  it('cannot be changed with the link', async () => {
    const url = await urlOf(padron);
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD'])
      expect((await fetch(url, { method })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('the host of the link', () => {
  const rig = engineRig();

  it('is that of PUBLIC_URL', async () => {
    const padron = await (await preparePadron(rig, { PUBLIC_URL: 'https://padron.example.com/mx/' })).start();
    const url = await urlOf(padron);
    await padron.stop();
    expect(url).toMatch(/^https:\/\/padron\.example\.com\/mx\/graphql\/ledger\.csv\?link=[\w-]+$/);
  });

  it('is otherwise the host header of the request, if it is a name with or without a port', async () => {
    const padron = await (await preparePadron(rig)).start();
    const body = JSON.stringify({ query: urlQuery });
    const linkFor = async (host: string): Promise<string | null> => {
      const head = `POST /graphql HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer sandbox-token\r\ncontent-type: application/json\r\nx-forwarded-host: evil.example\r\nconnection: close\r\ncontent-length: ${body.length}`;
      const answer = await sendRaw(padron.url, `${head}\r\n\r\n${body}`);
      const url = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)).data.registryLedger.csvUrl;
      return url?.replace(/\?link=[\w-]+$/, '') ?? null;
    };
    const path = '/graphql/ledger.csv';
    for (const host of ['padron:4000', '127.0.0.1', '[::1]:80'])
      expect(await linkFor(host)).toBe(`http://${host}${path}`);
    for (const host of ['a/b', 'a@b', 'a b', 'a?b', 'javascript:alert(1)', '<b>'])
      expect([host, await linkFor(host)]).toEqual([host, null]);
    await padron.stop();
  });
});
