import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from '../accounts/accounts';
import type { RateLimiter } from '../accounts/rate-limiter';
import { check } from '../protocol/input-fields';
import { type Answer, invalid, refused, unprocessable } from '../protocol/responses';
import type { Question, Route, World } from '../protocol/route';
import { aboutSomebodyElse, linkFaultOf, playedCard, refusalOf } from '../test-cards/apply-card';

/** What a request carries, read but not checked. */
export interface Input {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, Buffer>>;
}

/** A request at the door of an endpoint. */
export interface Arrival {
  readonly route: Route;
  readonly token: string;
  /** Served in sandbox mode: free. */
  readonly sandbox: boolean;
  readonly origin: string;
  read(): Promise<Input | Answer>;
}

export interface Service {
  readonly world: World;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly rateLimiter: RateLimiter;
  readonly slowMs: number;
}

export interface Exchanged {
  readonly answer: Answer;
  readonly units: number;
}

const CHARGED = new Set([200, 404]);

function isAnswer(input: Input | Answer): input is Answer {
  return 'status' in input;
}

/** Checks the input, plays the test card it may hold, or answers the question. */
async function answered(arrival: Arrival, account: Account, input: Input, service: Service): Promise<Answer> {
  const { route, origin } = arrival;
  const { world, slowMs } = service;
  const checked = check(route.fields, { ...input.fields, ...input.files }, route.reads !== 'json');
  if ('missing' in checked) return unprocessable(route.face, checked.missing);
  if ('invalid' in checked) return invalid(route.face, checked.invalid);
  const question: Question = { values: checked.values, files: input.files, account, origin, world };
  const played = playedCard(route, checked.values);
  if (!played) return route.answer(question);
  const refusal = refusalOf(played, route.face);
  if (refusal) return refusal;
  if (played.card.failure === 'slow') await wait(slowMs, undefined, { ref: false });
  if (played.card.failure === 'somebody-else') {
    return route.answer({ ...question, values: aboutSomebodyElse(checked.values, world.now()) });
  }
  const linkFault = linkFaultOf(played);
  return route.answer(linkFault ? { ...question, linkFault } : question);
}

/** Units are taken for 200 and 404 only: an answer of the registry, whatever it says. */
async function paid(arrival: Arrival, account: Account, input: Input, service: Service): Promise<Exchanged> {
  const { route } = arrival;
  const { balances } = service.world;
  const price = arrival.sandbox ? 0 : route.units;
  if (!balances.reserve(account, price)) {
    return {
      answer: refused(route.face, 402, 'INSUFFICIENT_BALANCE', 'El saldo de la cuenta es insuficiente.'),
      units: 0,
    };
  }
  let charged = 0;
  try {
    const answer = await answered(arrival, account, input, service);
    charged = CHARGED.has(answer.status) ? price : 0;
    return { answer, units: charged };
  } finally {
    balances.settle(account, price, charged);
  }
}

/** One request through token, rate limit, permission, balance and question, in this order. */
export async function exchange(arrival: Arrival, service: Service): Promise<Exchanged> {
  const { route, token } = arrival;
  const account = service.accounts.get(token);
  if (!account) return { answer: refused(route.face, 401, 'INVALID_TOKEN', 'El token no es válido.'), units: 0 };
  if (!route.path.startsWith('/api/')) return admitted(arrival, account, service);
  const rateLimit = service.rateLimiter.consume(account, service.world.now());
  const limitHeaders = {
    'x-ratelimit-limit': String(rateLimit.limit),
    'x-ratelimit-remaining': String(rateLimit.remaining),
  };
  if (!rateLimit.allowed) {
    const answer = refused(route.face, 429, 'TOO_MANY_REQUESTS', 'Demasiadas peticiones.');
    return {
      answer: { ...answer, headers: { ...limitHeaders, 'retry-after': String(rateLimit.retryAfter) } },
      units: 0,
    };
  }
  const { answer, units } = await admitted(arrival, account, service);
  return { answer: { ...answer, headers: { ...limitHeaders, ...answer.headers } }, units };
}

async function admitted(arrival: Arrival, account: Account, service: Service): Promise<Exchanged> {
  const { route } = arrival;
  if (route.permission !== undefined && !account.permissions.includes(route.permission)) {
    const answer = refused(route.face, 403, 'FORBIDDEN', `El token no tiene el permiso ${route.permission}.`);
    return { answer, units: 0 };
  }
  const input = await arrival.read();
  return isAnswer(input) ? { answer: input, units: 0 } : paid(arrival, account, input, service);
}
