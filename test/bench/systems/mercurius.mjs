import fastify from 'fastify';
import mercurius from 'mercurius';
import { Pool } from 'undici';
import { registryOver, schema } from './resolvers.mjs';

/** The fastest GraphQL server of Node, by a careful hand: compiled execution, an undici pool, each question once a request. */
const pool = new Pool(process.env.REGISTRY_URL, { connections: 12_000, pipelining: 1 });

async function post(path, search, body) {
  const answer = await pool.request({
    method: 'POST',
    path: search === null ? path : `${path}?${new URLSearchParams(search)}`,
    headers: { authorization: 'Bearer bench', ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body: body === null ? null : JSON.stringify(body),
  });
  return { path, status: answer.statusCode, body: await answer.body.json() };
}

function context() {
  const asked = new Map();
  const once = (path, search, body) => {
    const key = path + JSON.stringify(search ?? body);
    const known = asked.get(key);
    if (known !== undefined) return known;
    const answer = post(path, search, body);
    asked.set(key, answer);
    return answer;
  };
  return { registry: registryOver(once) };
}

const app = fastify();
app.register(mercurius, { schema, context, jit: 1 });
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${address}/graphql\n`);
