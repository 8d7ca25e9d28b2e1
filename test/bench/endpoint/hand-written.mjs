export const typeDefs = `
  extend type Query {
    "The settlements that share a postal code."
    postalCode("Five digits, leading zeros included." code: String!): [Settlement!]
  }

  "A settlement: a quarter, a village or a housing estate."
  type Settlement {
    "Its name."
    name: String
    "Its kind, such as Colonia."
    kind: String
    "Its municipality."
    municipality: String
    "Its federal state."
    state: String
  }
`;

async function postalCode(_parent, { code }, { registryUrl, authorization }) {
  const url = `${registryUrl}/api/sepomex/grupo/buscar-codigo?${new URLSearchParams({ codigo: code })}`;
  const response = await fetch(url, { method: 'POST', headers: { authorization } });
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`The registry service answered ${response.status}.`);
  const { data } = await response.json();
  return data.map(({ asentamiento, tipo, municipio, estado }) => ({
    ...{ name: asentamiento, kind: tipo },
    ...{ municipality: municipio, state: estado },
  }));
}

export const resolvers = { Query: { postalCode } };
