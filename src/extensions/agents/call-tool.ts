import { createHash, randomUUID } from 'node:crypto';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { UnitEstimate } from '../../graph/core/pricing/types';
import { isNestedTooDeep, isObject } from '../../identifiers/json-value';
import { joinTexts, type Language, say, type Text } from '../../identifiers/text';
import type { GraphqlResult } from '../../server/apollo/graphql-handler';
import type { Core } from '../../server/extension';
import { parseBudget, parseLabels } from '../../server/http/request-headers';
import { anonymous, clientOf } from '../../server/request-context';
import { extractProblems } from './problem-selection';
import * as texts from './tool-text';
import type { QueryTool, QueryTools } from './tools';

type Arguments = Readonly<Record<string, unknown>>;
type ToolResult = CallToolResult | InputRequiredResult;

/** A price for the person to agree to: the units, and a digest of the call that they are for. The ID is used once. */
export interface Price {
  readonly id: string;
  readonly units: number;
  readonly call: string;
}

export interface ToolCall {
  readonly request: FastifyRequest;
  readonly language: Language;
  readonly arguments: Arguments;
  /** The answer of the person to a price. Null if the person was not asked. */
  readonly consent: (Price & { readonly isGiven: boolean }) | null;
  /** Asks the person to agree to a price. Null if the client cannot ask. */
  readonly ask: ((price: Price, message: string) => Promise<InputRequiredResult>) | null;
}

const spendQuery = `query AgentSpend($filter: RegistryLedgerFilter!) {
  registrySpend(filter: $filter, by: [DAY]) { day calls units uncertainUnits savedUnits amount }
}`;

type CallParts = Pick<Core, 'config' | 'client' | 'graphql' | 'requests' | 'now'>;

/** Runs tools as operations of the graph, so that authentication, limits, budgets, scopes and the ledger are those of `/graphql`. */
export class ToolCaller {
  constructor(
    private readonly core: CallParts,
    private readonly tools: () => Promise<QueryTools>,
    /** Maximum units of a call, unless the person agrees to its price. Null for no limit. */
    private readonly maxUnits: number | null,
  ) {}

  /** Runs a tool. Returns null if there is no such tool. */
  async call(name: string, call: ToolCall): Promise<ToolResult | null> {
    if (name === 'price') return this.price(call);
    if (name === 'spend') return this.spend(call);
    const tool = (await this.tools()).get(name);
    return tool === undefined ? null : this.query(tool, call);
  }

  private async query(tool: QueryTool, call: ToolCall): Promise<ToolResult> {
    const { request, language } = call;
    const digest = digestOf(tool, call, this.core);
    const answer = call.consent?.call === digest ? call.consent : null;
    if (answer?.isGiven === false) return refuse(texts.refusals.declined, language);
    const consent = answer !== null && (await this.claimConsent(answer.id, request)) ? answer : null;
    const { maxUnits } = this.core.config;
    const limit = consent?.units ?? this.maxUnits;
    // Consent lifts the limit of a call, and no other limit.
    const callerLimit = parseBudget(request.headers, maxUnits);
    if (limit !== null)
      request.headers = { ...request.headers, 'x-max-units': String(Math.min(limit, callerLimit ?? limit)) };
    const result = await this.run(tool, call);
    const estimate = result.errors?.[0]?.extensions?.estimate;
    if (estimate !== undefined && estimate.invalidRows > 0)
      return refuse(joinLines([sayEstimate(estimate), texts.nothingSpent]), language);
    if (estimate === undefined || limit === null || estimate.estimatedUnits <= limit) return toResult(result, language);
    const canConsent = callerLimit === null || estimate.estimatedUnits <= callerLimit;
    return canConsent ? askForConsent(tool, call, digest, estimate, limit) : toResult(result, language);
  }

  /** Claims the consent of a person. Returns false if another call has claimed it, in any process that shares the store. */
  private async claimConsent(id: string, { account }: FastifyRequest): Promise<boolean> {
    const { names, results } = this.core.requests;
    const caller = { ...(account ?? anonymous), sandbox: false };
    // The claim is stored as a request with an idempotency key. The keys of callers never contain a space, so none equals this one.
    const keyed = { caller, holder: null, owner: '', key: `consent ${id}`, input: [], isErasure: false };
    const opened = { ...keyed, id: randomUUID(), account: names.accountOf(caller), names: names.ofRequest(keyed) };
    return (await results.open(opened)).kind === 'RUN';
  }

  private async price(call: ToolCall): Promise<CallToolResult> {
    const { request, language } = call;
    const { tool: name, arguments: variables = {} } = call.arguments;
    const tool = (await this.tools()).get(String(name));
    if (tool === undefined || !isObject(variables)) return refuse(texts.refusals.price, language);
    request.headers = { ...request.headers, 'x-dry-run': 'true' };
    const result = await this.run(tool, { ...call, arguments: variables });
    const estimate = result.extensions?.estimate;
    if (estimate === undefined) return toResult(result, language);
    const { estimatedUnits, atMost, unitsWithPermission, amount } = estimate;
    const said = [texts.sayPrice(estimate), sayEstimate(estimate)];
    return quote({ estimatedUnits, atMost, unitsWithPermission, amount }, said, language);
  }

  private async spend({ request, language }: ToolCall): Promise<CallToolResult> {
    const { config, now } = this.core;
    const client = clientOf(config, request.account, parseLabels(request.headers, config).labels.client);
    if (client === null)
      return refuse(config.jwt === null ? texts.refusals.noClient : texts.refusals.noApplication, language);
    const from = new Intl.DateTimeFormat('en-CA', { timeZone: config.data.timeZone }).format(now());
    const variables = { filter: { client, from } };
    const operation = { query: spendQuery, operationName: 'AgentSpend', variables };
    // The units of this call are left out: a model takes them for the sum.
    const { extensions: _, ...result } = await this.core.graphql.runTool(request, operation);
    return toResult(result, language);
  }

  /** Runs the operation of a tool if the arguments fit its input schema. */
  private async run(
    { name: operationName, query, input, inputRules, takesAge }: QueryTool,
    { request, language, arguments: variables }: ToolCall,
  ): Promise<GraphqlResult> {
    // The graph rejects deep nesting. Models give null for an argument that they leave out.
    const checked = isNestedTooDeep(variables) ? null : JSON.stringify(variables, (_name, value) => value ?? undefined);
    const { issues } = checked === null ? {} : await inputRules['~standard'].validate(JSON.parse(checked));
    if (issues === undefined) {
      const { maxAge, ...rest } = variables;
      if (takesAge && typeof maxAge === 'string') request.headers = { ...request.headers, 'x-max-age': maxAge };
      return this.core.graphql.runTool(request, { query, operationName, variables: takesAge ? rest : variables });
    }
    const message = say(texts.sayMisfit(issues, Object.keys(input.properties)), language);
    return { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
  }
}

async function askForConsent(
  tool: QueryTool,
  { language, arguments: variables, ask }: ToolCall,
  call: string,
  estimate: UnitEstimate,
  limit: number,
): Promise<ToolResult> {
  const reason = joinTexts([texts.sayPrice(estimate), texts.sayLimit(limit)], ' ');
  if (ask === null) return refuse(joinTexts([reason, texts.refusals.askElsewhere], ' '), language);
  const sentence = texts.sayCall(tool.name, tool.coerce(variables));
  if (sentence === null) return refuse(joinTexts([reason, texts.refusals.hidden], ' '), language);
  const price = { id: randomUUID(), units: estimate.estimatedUnits, call };
  return ask(price, say(joinTexts([sentence, reason], ' '), language));
}

/**
 * Returns the digest of a call. Consent to the price of a call is not consent to that of another one, by another caller, or booked under
 * another client, tag, purpose or reference, or by another price list. The digest is the same in every process.
 */
function digestOf(
  { name }: QueryTool,
  { request, arguments: variables }: ToolCall,
  { config, client: { prices } }: CallParts,
): string {
  const { account, headers } = request;
  const { client, tag, purpose, reference } = parseLabels(headers, config).labels;
  const booked = [client, tag, purpose, reference];
  const caller = [account?.bearer ?? null, account?.holder ?? null, headers['x-sandbox'] ?? null, booked];
  const content = [caller, name, isNestedTooDeep(variables) ? null : variables, prices.version];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

export const refuse = (reason: Text, language: Language): CallToolResult => ({
  content: [{ type: 'text', text: say(reason, language) }],
  isError: true,
});

const sayEstimate = ({ problems }: UnitEstimate): Text =>
  texts.sayProblems(problems.map((problem) => ({ ...problem, path: (problem.path ?? []).join('.') })));

function toResult({ data, errors = [], extensions = {} }: GraphqlResult, language: Language): CallToolResult {
  const messages = [texts.sayUnits(extensions.units), texts.sayErrors(errors)];
  // A dry run that the client asks for by a header has a price and no data.
  if (extensions.estimate !== undefined) messages.push(texts.sayPrice(extensions.estimate));
  if (!data) return refuse(joinLines(messages), language);
  const extracted = extractProblems(data);
  const result = quote(extracted.data, [...messages, texts.sayProblems(extracted.problems)], language);
  return errors.length > 0 && isEmpty(data) ? { ...result, isError: true } : result;
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).every(isEmpty));

/** Returns data as JSON and as quoted text, after the messages of padron. */
function quote(data: object, messages: readonly Text[], language: Language): CallToolResult {
  const quoted = `${say(texts.dataHeading, language)}\n${JSON.stringify(data)}`;
  const content = [say(joinLines(messages), language), quoted].filter((text) => text !== '');
  return { content: content.map((text) => ({ type: 'text', text })), structuredContent: { ...data } };
}

const joinLines = (messages: readonly Text[]): Text =>
  joinTexts(
    messages.filter(({ english }) => english !== ''),
    '\n',
  );
