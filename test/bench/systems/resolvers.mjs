import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import * as shapes from './shapes.mjs';

/**
 * padron's own graph, served by hand-written resolvers as a team would write them: `context.registry` has a method a call,
 * each giving `{ path, status, body }`.
 */
const { monthsBetween, paths, periodOnWire, proof } = shapes;
const typeDefs = parse(readFileSync(new URL('../../../schema/padron.graphql', import.meta.url), 'utf8'));

const shown = ({ path, status, body }, show) => ({ ...proof(path, status, body), record: show(body.data) });

async function creditOf({ nss }, { registry }) {
  return (await registry.credit(nss)).body.data;
}

const resolvers = {
  Query: {
    person: (_root, { nss }) => ({ nss }),
    employer: (_root, { registration }) => ({ registration }),
  },
  Person: {
    __resolveReference: ({ nss }) => ({ nss }),
    credit: async ({ nss }, _arguments, { registry }) => shown(await registry.credit(nss), shapes.toCredit),
    housingAccount: async ({ nss }, _arguments, { registry }) => shown(await registry.account(nss), shapes.toAccount),
    identity: async (person, _arguments, context) => {
      const { scurp } = await creditOf(person, context);
      return shown(await context.registry.identity(scurp), shapes.toIdentity);
    },
    licences: async (person, _arguments, context) => {
      const { nombre, apPaterno, apMaterno } = await creditOf(person, context);
      const { path, status, body } = await context.registry.licences(nombre, apPaterno, apMaterno);
      return { ...proof(path, status, body), records: body.data.map(shapes.toLicence) };
    },
    professionalStatus: async (person, _arguments, context) => {
      const { scurp } = await creditOf(person, context);
      return shown(await context.registry.status(scurp), shapes.toStatus);
    },
  },
  Employer: {
    receiptsBetween: ({ registration }, { from, to }, { registry }) =>
      monthsBetween(from, to).map(async (period) => {
        const wire = periodOnWire(registration, period);
        const { path, status, body } = await registry.receipts(wire);
        const records = body.comprobantes.map((receipt) => ({ ...shapes.toReceipt(receipt), wire }));
        return { ...proof(path, status, body), period, count: body.meta.count, records };
      }),
  },
  EmployerReceipt: {
    files: async ({ wire, folio }, _arguments, { registry }) => {
      const { path, status, body } = await registry.files({ ...wire, folio_sua: folio, include_content: false });
      const { pdf, xml } = body.files;
      const expiresAt = body.meta.expires_at;
      return { ...proof(path, status, body), pdf: shapes.toFile(pdf, expiresAt), xml: shapes.toFile(xml, expiresAt) };
    },
  },
};

export const schema = buildSubgraphSchema([{ typeDefs, resolvers }]);

/** The calls over any client: `ask(path, search, body)`. */
export function registryOver(ask) {
  const query = (path, search) => ask(path, search, null);
  return {
    credit: (nss) => query(paths.credit, { nss: shapes.nssOnWire(nss) }),
    account: (nss) => query(paths.account, { nss: shapes.nssOnWire(nss) }),
    identity: (curp) => query(paths.identity, { curp }),
    status: (curp) => query(paths.status, { curp }),
    licences: (nombres, paterno, materno) => query(paths.licences, { nombres, paterno, materno }),
    receipts: (body) => ask(paths.receipts, null, body),
    files: (body) => ask(paths.files, null, body),
  };
}
