import type { GraphQLRequestContextDidResolveOperation, GraphQLResponse } from '@apollo/server';
import { GraphQLError, Kind, type OperationDefinitionNode, print } from 'graphql';
import { SecretBytes } from '../../../graph/core/scalars/secret-bytes';
import { UploadedFile } from '../../../graph/core/scalars/upload';
import { openRequest, type RunningRequest } from '../../../money/idempotency/request-results';
import type { RequestResults } from '../../persistence';
import type { RequestContext } from '../../request-context';
import { toPluginResponse } from './unit-budget';

type ResolvedOperation = GraphQLRequestContextDidResolveOperation<RequestContext>;

/** Runs a mutation with an idempotency key once, and returns its result again to later requests with the key. */
export class Idempotency {
  private readonly running = new WeakMap<RequestContext, RunningRequest>();
  private readonly kept = new WeakMap<RequestContext, string>();

  constructor(private readonly requests: RequestResults) {}

  /** Throws if the operation must not run: the key is malformed or has another input, or the effect of the first request is unknown. */
  async open(resolved: ResolvedOperation, operation: OperationDefinitionNode): Promise<void> {
    const { request, contextValue } = resolved;
    const { dryRun, caller, labels, owner, signal } = contextValue;
    const key = request.http?.headers.get('idempotency-key');
    if (key === undefined || operation.operation !== 'mutation' || dryRun) return;
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw refusal('BAD_USER_INPUT', malformed);
    // Without a token the operation fails, free of charge.
    if (caller.bearer === null) return;
    const { names, results } = this.requests;
    // Without JWTs anyone can claim to be a client, so the account has the keys.
    const holder = caller.permissions === null ? null : labels.holder;
    const opened = await SecretBytes.using(async (secrets) => {
      const input = await readInput(resolved, operation, secrets);
      const keyed = { caller, holder, owner, key, input, isErasure: isErasure(operation) };
      return openRequest(results, names, keyed, signal);
    });
    if ('id' in opened) this.running.set(contextValue, opened);
    else if (opened.kind === 'KEPT') this.kept.set(contextValue, opened.result);
    else if (opened.kind === 'LOST') throw refusal('IDEMPOTENCY_RESULT_LOST', lost);
    // A client that disconnects while it waits gets no answer.
    else throw refusal('IDEMPOTENCY_KEY_REUSED', reused);
  }

  /** Returns the response of the first request, or null if the operation is to run. */
  replay(contextValue: RequestContext): GraphQLResponse | null {
    const result = this.kept.get(contextValue);
    if (result === undefined) return null;
    const response = toPluginResponse(JSON.parse(result));
    response.http.headers.set('idempotency-replayed', 'true');
    return response;
  }

  /** Keeps the result, unless the operation failed and cost nothing. The response says so if the result cannot be kept. */
  async close(contextValue: RequestContext, { body, http }: GraphQLResponse): Promise<void> {
    const request = this.running.get(contextValue);
    if (request === undefined || body.kind !== 'single') return;
    const { data, errors } = body.singleResult;
    const result = hasEffect(contextValue, data) ? JSON.stringify({ data, errors }) : null;
    const isKept = await this.requests.results.close(request, result, [...contextValue.shownOperations]);
    if (result !== null && !isKept) http.headers.set('idempotency-kept', 'false');
  }
}

/** Returns everything that decides what the operation does and what the caller may see, with the bytes of its files. */
async function readInput(
  { document, operationName, request, contextValue }: ResolvedOperation,
  { variableDefinitions = [] }: OperationDefinitionNode,
  secrets: SecretBytes,
): Promise<readonly (string | Buffer)[]> {
  const files: UploadedFile[] = [];
  const declared = variableDefinitions.map(({ variable: { name } }) => [name.value, request.variables?.[name.value]]);
  const variables = JSON.stringify(Object.fromEntries(declared), (_name, value) => {
    if (value instanceof UploadedFile) return `file ${files.push(value)}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
  const contents = await Promise.all(files.map((file) => file.content(secrets)));
  const scopes = [...(contextValue.caller.permissions ?? [])].sort().join(' ');
  const { purpose, tag, reference } = contextValue.labels;
  const labels = Object.entries({ purpose, tag, reference }).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  const texts = [print(document), operationName ?? '', scopes, variables];
  return [...texts, ...contents.map((content) => content ?? 'incomplete'), ...labels];
}

function isErasure({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.every((field) => field.kind === Kind.FIELD && /^eraseRegistry/.test(field.name.value));
}

/** Whether anything may have been charged, or one of the fields succeeded. Otherwise a retry may run. */
function hasEffect({ units, refused }: RequestContext, data: Record<string, unknown> | null | undefined): boolean {
  if (units.spent + units.uncertain > 0) return true;
  const fields = Object.values(data ?? {}).filter((value) => value !== 'Mutation');
  const nulls = fields.filter((value) => value === null).length;
  // A field whose token was refused is null.
  const failedCalls = units.calls.filter(
    ({ outcome }) => !['FOUND', 'NOT_FOUND', 'UNAUTHENTICATED'].includes(outcome),
  ).length;
  return fields.length > nulls + failedCalls + units.rejections.length + refused.changes;
}

const refusal = (code: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status: 400 } } });

const malformed = 'The header `Idempotency-Key` must have 1 to 255 visible characters of ASCII, without spaces.';
const reused =
  'This `Idempotency-Key` was sent with another input in the last 24 hours. Nothing was run. Send a new key with each new operation.';
const lost =
  'The first request with this `Idempotency-Key` may have been charged and may have made its change, but its result is lost: its process ended, an erasure deleted it, or it was not kept (`idempotency-kept: false`). Nothing was run now. Look into the ledger and at what should have changed. If it is missing, send a new key.';
