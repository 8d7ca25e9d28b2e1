import { createServer } from 'node:http';
import { Pool } from 'undici';
import * as shapes from './shapes.mjs';

/** The floor: bare node:http and an undici pool, the fewest calls and the same JSON, without GraphQL, checks or accounting. */
const { monthsBetween, nssOnWire, paths, periodOnWire, proof } = shapes;
const pool = new Pool(process.env.REGISTRY_URL, { connections: 12_000, pipelining: 1 });
const headers = { authorization: 'Bearer bench', accept: 'application/json' };
const jsonHeaders = { ...headers, 'content-type': 'application/json' };

async function post(path, search, body) {
  const answer = await pool.request({
    method: 'POST',
    path: search === null ? path : `${path}?${new URLSearchParams(search)}`,
    headers: body === null ? headers : jsonHeaders,
    body: body === null ? null : JSON.stringify(body),
  });
  return { path, status: answer.statusCode, body: await answer.body.json() };
}

const ask = (path, search) => post(path, search, null);
const credit = (nss) => ask(paths.credit, { nss: nssOnWire(nss) });

function shown({ path, status, body }, show, bought = true) {
  return { ...proof(path, status, body, bought), record: show(body.data) };
}

async function person({ nss }) {
  const accountComes = ask(paths.account, { nss: nssOnWire(nss) });
  const found = await credit(nss);
  const { scurp: curp, nombre: nombres, apPaterno: paterno, apMaterno: materno } = found.body.data;
  const name = text(materno) ? { nombres, paterno, materno } : { nombres, paterno };
  const [account, identity, licences, status] = await Promise.all([
    accountComes,
    ask(paths.identity, { curp }),
    ask(paths.licences, name),
    ask(paths.status, { curp }),
  ]);
  return {
    person: {
      nss,
      credit: shown(found, shapes.toCredit),
      housingAccount: shown(account, shapes.toAccount),
      identity: shown(identity, shapes.toIdentity),
      licences: {
        ...proof(licences.path, licences.status, licences.body),
        records: licences.body.data.map(shapes.toLicence),
      },
      professionalStatus: shown(status, shapes.toStatus),
    },
  };
}

const text = (value) => typeof value === 'string' && value !== '';

async function year({ registration, from, to, inline }) {
  const months = await Promise.all(monthsBetween(from, to).map((period) => month(registration, period, inline)));
  return { employer: { registration, receiptsBetween: months } };
}

async function month(registration, period, inline) {
  const wire = periodOnWire(registration, period);
  const { path, status, body } = await post(paths.receipts, null, wire);
  const records = await Promise.all(body.comprobantes.map((receipt) => withFiles(receipt, wire, inline)));
  return { ...proof(path, status, body), period, count: body.meta.count, records };
}

async function withFiles(receipt, wire, inline) {
  const question = { ...wire, folio_sua: receipt.folio_sua, include_content: inline };
  const { body } = await post(paths.files, null, question);
  const { pdf, xml } = body.files;
  const file = (wireFile) =>
    inline ? { filename: wireFile.filename, content: wireFile.base64 } : shapes.toFile(wireFile, body.meta.expires_at);
  return { ...shapes.toReceipt(receipt), files: { outcome: 'FOUND', pdf: file(pdf), xml: file(xml) } };
}

async function aliases(variables, count) {
  const asked = Object.values(variables);
  const answers = await Promise.all(asked.map(credit));
  const data = {};
  for (let alias = 0; alias < count; alias += 1) {
    const at = alias % asked.length;
    data[`a${alias}`] = { credit: shown(answers[at], shapes.toCredit, alias < asked.length) };
  }
  return data;
}

async function entities({ representations }) {
  const answers = new Map();
  for (const { nss } of representations) if (!answers.has(nss)) answers.set(nss, credit(nss));
  const bought = new Set();
  const list = representations.map(async ({ nss }) => {
    const answer = await answers.get(nss);
    const first = !bought.has(nss);
    bought.add(nss);
    return { nss, credit: shown(answer, shapes.toCredit, first) };
  });
  return { _entities: await Promise.all(list) };
}

const byOperation = {
  Credit: async ({ nss }) => ({ person: { nss, credit: shown(await credit(nss), shapes.toCredit) } }),
  PersonProfile: person,
  EmployerYear: (variables) => year({ ...variables, inline: false }),
  EmployerYearInline: (variables) => year({ ...variables, inline: true }),
  Aliases50: (variables) => aliases(variables, 50),
  Aliases500: (variables) => aliases(variables, 500),
  Entities: entities,
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const { operationName, variables } = JSON.parse(Buffer.concat(chunks).toString());
      const body = JSON.stringify({ data: await byOperation[operationName](variables) });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`),
);
