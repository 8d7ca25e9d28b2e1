/** What both gateways for Node do for padron. */

const forwarded = [
  'authorization',
  'accept-language',
  'x-client-name',
  'x-tag',
  'x-purpose',
  'x-reference',
  'idempotency-key',
  'x-sandbox',
  'x-dry-run',
  'x-max-age',
  'x-max-units',
  'x-answer-within',
];

/** They make an operation of the client last. An operation whose ID the gateway makes must not last. */
const forwardedWithId = ['x-operation-id', 'x-operation-keep', 'x-operation-retry'];

/**
 * Returns the headers of a request to padron. No other subgraph gets them, because the token spends money. All requests of an operation have the
 * same ID, so that `x-max-units` limits them together.
 */
export function headersForPadron(headerOfClient, operationId) {
  const names = headerOfClient('x-operation-id') ? [...forwarded, ...forwardedWithId] : forwarded;
  const ofClient = names.map((name) => [name, headerOfClient(name)]);
  return {
    'x-operation-id': operationId,
    ...Object.fromEntries(ofClient.filter(([, value]) => value)),
    'x-subgraph-secret': process.env.SUBGRAPH_SECRET ?? '',
    // Uploads need it.
    'apollo-require-preflight': 'true',
  };
}

/** Returns the message of a validation error without the input that it quotes, or null for other messages. The input may be a password. */
export function withoutInput(message) {
  const [place, input] = message.split(/ got invalid value |, found /);
  return input === undefined ? null : `${place}: the value does not fit.`;
}
