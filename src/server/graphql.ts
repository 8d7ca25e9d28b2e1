import type { Readable } from 'node:stream';
import type { ApolloServer } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { jsonOf, plainOf } from '../execution/rows';
import { run } from '../execution/run';
import type { Values } from '../execution/variables';
import { DryRunDataSource } from '../registry/rehearsal';
import { answerType } from './accept';
import { answerThroughApollo, makeApollo } from './apollo';
import { contextOf, fileBytesIn, type RequestContext, type Services } from './context';
import { ErrorReports } from './errors';
import { HttpFault } from './faults';
import type { ReadyQuestion } from './known-operation';
import { KnownOperations } from './known-operations';
import { isLarge, resultInTurns } from './stringify';
import { unitsTold } from './units';

/** GraphQL over HTTP: a query that is known and plain is run at once, everything else goes through Apollo Server. */
export class GraphqlServer {
  private readonly errors: ErrorReports;
  private readonly apollo: ApolloServer<RequestContext>;
  private readonly operations: KnownOperations;

  constructor(private readonly services: Services) {
    const { config, graph, metrics, log } = services;
    this.errors = new ErrorReports(graph.schema, log, !config.introspection, (code) => metrics.failed(code));
    this.apollo = makeApollo(services, this.errors);
    this.operations = new KnownOperations(graph.schema, config.limits);
  }

  start(): Promise<void> {
    return this.apollo.start();
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const accepted = answerType(request.headers.accept);
    if (accepted === null)
      throw new HttpFault(406, 'The answer is JSON: accept application/json or graphql-response+json.');
    const signal = request.abortSignal ?? new AbortController().signal;
    const question = this.readyQuestion(request);
    const context = question === null ? null : this.plainContext(request, signal);
    const budget = context?.units.budget ?? null;
    if (question !== null && context !== null && (budget === null || (await costsAtMost(budget, question, context)))) {
      const text = await this.run(question, context);
      reply.header('content-type', `${accepted}; charset=utf-8`).header('cache-control', 'no-store');
      reply.header('x-units-spent', String(context.units.spent)).send(text);
      return;
    }
    await answerThroughApollo(this.apollo, request, reply, accepted, () => contextOf(this.services, request, signal));
  }

  /** The question of a request, where none of Apollo's steps would have anything to add to it. */
  private readyQuestion({ method, url, headers, body }: FastifyRequest): ReadyQuestion | null {
    if (method !== 'POST' || url !== '/graphql' || !headers['content-type']?.startsWith('application/json'))
      return null;
    if (typeof body !== 'object' || body === null || headers['x-dry-run'] !== undefined) return null;
    const { query, operationName = null, variables = null, extensions = null } = body as Posted;
    if (typeof query !== 'string' || query === '' || extensions !== null) return null;
    if (operationName !== null && typeof operationName !== 'string') return null;
    if (typeof variables !== 'object' || Array.isArray(variables)) return null;
    return this.operations.ready(query, operationName, (variables ?? {}) as Values);
  }

  /** Null where a header is at fault. */
  private plainContext(request: FastifyRequest, signal: AbortSignal): RequestContext | null {
    try {
      return contextOf(this.services, request, signal);
    } catch (error) {
      if (error instanceof GraphQLError) return null;
      throw error;
    }
  }

  private async run(
    { name, plan, variables, given }: ReadyQuestion,
    context: RequestContext,
  ): Promise<string | Readable> {
    const { units, told, requestId } = context;
    told.operation = name;
    const { data, errors } = await run(plan, context, variables);
    // Left out of the text where there are none.
    const faults = errors.length === 0 ? undefined : errors.map((error) => this.errors.tell(error, given, requestId));
    const extensions = units.hasQuestions ? { units: unitsTold(units) } : undefined;
    if (isLarge(fileBytesIn(context)))
      return resultInTurns({ errors: faults, data: data && plainOf(data), extensions });
    const before = faults === undefined ? '' : `"errors":${JSON.stringify(faults)},`;
    const after = extensions === undefined ? '' : `,"extensions":${JSON.stringify(extensions)}`;
    return `{${before}"data":${data === null ? 'null' : jsonOf(data)}${after}}\n`;
  }
}

/** Whether a question surely stays within its budget, by rehearsing it. Where it does not, the way through Apollo refuses it. */
async function costsAtMost(
  budget: number,
  { plan, variables }: ReadyQuestion,
  context: RequestContext,
): Promise<boolean> {
  const rehearsal = new DryRunDataSource(context.dataSource);
  await run(plan, { ...context, dataSource: rehearsal }, variables);
  return !rehearsal.isOverfull && rehearsal.price <= budget;
}

/** What is posted, as far as it is known to be an object. */
interface Posted {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}
