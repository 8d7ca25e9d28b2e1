import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from '../accounts/accounts';
import type { RateLimiter } from '../accounts/limits';
import { checkInput } from '../protocol/input-fields';
import { invalid, rejected, type ServiceResponse, unprocessable } from '../protocol/responses';
import type { Dependencies, Question, Route, Terms } from '../protocol/route';
import { getFailureResponse, getLinkFailure, matchTestCard, replaceSubject } from '../test-cards/apply-card';

export interface Input {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, Buffer>>;
}

export interface IncomingRequest {
  readonly route: Route;
  readonly token: string;
  /** Whether the request is served in sandbox mode, which is free. */
  readonly sandbox: boolean;
  /** Milliseconds to wait before the answer to a valid input. */
  readonly delayMs: number;
  readonly origin: string;
  readInput(): Promise<Input | ServiceResponse>;
}

export interface Service {
  readonly dependencies: Dependencies;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly rateLimiter: RateLimiter;
  readonly slowMs: number;
  readonly terms: (route: Route) => Terms;
}

export interface HandledRequest {
  readonly response: ServiceResponse;
  readonly units: number;
}

function isResponse(input: Input | ServiceResponse): input is ServiceResponse {
  return 'status' in input;
}

/** Checks the input and returns the response of its test card or, without a card, of the endpoint. */
async function answerQuestion(
  request: IncomingRequest,
  account: Account,
  input: Input,
  service: Service,
): Promise<ServiceResponse> {
  const { route, origin, delayMs } = request;
  const { dependencies, slowMs } = service;
  const checked = checkInput(route.fields, { ...input.fields, ...input.files }, route.inputFrom !== 'json');
  if ('missing' in checked) return unprocessable(route.protocol, checked.missing);
  if ('invalid' in checked) return invalid(route.protocol, checked.invalid);
  if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
  const question: Question = { values: checked.values, files: input.files, account, origin, dependencies };
  const match = matchTestCard(route, checked.values);
  if (!match) return route.answer(question);
  const failure = getFailureResponse(match, route.protocol);
  if (failure) return failure;
  if (match.card.failure === 'slow') await wait(slowMs, undefined, { ref: false });
  if (match.card.failure === 'somebody-else') {
    return route.answer({ ...question, values: replaceSubject(checked.values, dependencies.now()) });
  }
  const linkFailure = getLinkFailure(match);
  return route.answer(linkFailure ? { ...question, linkFailure } : question);
}

/** Settles what a response costs, of which `reserved` units were reserved. */
function charge(
  { route, sandbox }: IncomingRequest,
  account: Account,
  { dependencies, terms }: Service,
  response: ServiceResponse,
  reserved = 0,
): HandledRequest {
  const { units, charged } = terms(route);
  const cost = !sandbox && charged.has(response.status) ? units : 0;
  dependencies.balances.settle(account, reserved, cost);
  return { response, units: cost };
}

async function answerAndCharge(
  request: IncomingRequest,
  account: Account,
  input: Input,
  service: Service,
): Promise<HandledRequest> {
  const { route } = request;
  const { balances } = service.dependencies;
  const price = request.sandbox ? 0 : service.terms(route).units;
  if (!balances.reserve(account, price)) {
    return {
      response: rejected(route.protocol, 402, 'INSUFFICIENT_BALANCE', 'El saldo de la cuenta es insuficiente.'),
      units: 0,
    };
  }
  let response: ServiceResponse | null = null;
  try {
    response = await answerQuestion(request, account, input, service);
  } finally {
    if (response === null) balances.settle(account, price, 0);
  }
  return charge(request, account, service, response, price);
}

/** Handles a request: checks token, rate limit, permission, input and balance in this order, then answers. */
export async function handleRequest(request: IncomingRequest, service: Service): Promise<HandledRequest> {
  const { route, token } = request;
  const account = service.accounts.get(token);
  if (!account) return { response: rejected(route.protocol, 401, 'INVALID_TOKEN', 'El token no es válido.'), units: 0 };
  if (!route.path.startsWith('/api/')) return handleAdmitted(request, account, service);
  const rateLimit = service.rateLimiter.consume(account, service.dependencies.now());
  const limitHeaders = {
    'x-ratelimit-limit': String(rateLimit.limit),
    'x-ratelimit-remaining': String(rateLimit.remaining),
  };
  if (!rateLimit.allowed) {
    const response = rejected(route.protocol, 429, 'TOO_MANY_REQUESTS', 'Demasiadas peticiones.');
    const headers = { ...limitHeaders, 'retry-after': String(rateLimit.retryAfter) };
    return charge(request, account, service, { ...response, headers });
  }
  const { response, units } = await handleAdmitted(request, account, service);
  return { response: { ...response, headers: { ...limitHeaders, ...response.headers } }, units };
}

function isPermitted({ permissions }: Account, { permission }: Route): boolean {
  return permission === undefined || permissions === 'all' || permissions.includes(permission);
}

async function handleAdmitted(request: IncomingRequest, account: Account, service: Service): Promise<HandledRequest> {
  const { route } = request;
  if (!isPermitted(account, route)) {
    const response = rejected(route.protocol, 403, 'FORBIDDEN', `El token no tiene el permiso ${route.permission}.`);
    return charge(request, account, service, response);
  }
  const input = await request.readInput();
  return isResponse(input)
    ? charge(request, account, service, input)
    : answerAndCharge(request, account, input, service);
}
