import { GraphQLError } from 'graphql';
import type { TrustedDocuments } from '../../graph/core/operations/trusted-documents';
import type { Caller } from '../../registry/caller';
import { HttpError } from '../http/http-error';
import type { Logger } from '../telemetry/logger';
import { toLoggableName } from '../telemetry/logger';
import type { Metrics } from '../telemetry/metrics';
import type { GraphqlRequest } from './graphql-request';

/** Scope of callers that may also send other operations, such as users of the explorer. */
export const exploreScope = 'padron_explore';
const code = 'OPERATION_NOT_TRUSTED';
const message = `This operation is not one of the trusted documents of this server. Publish it with the frontend, or send a JWT with the scope ${exploreScope}.`;
const unknownIdMessage =
  'This server has no trusted document with this ID. Deploy the documents of the frontend to the server first.';

export interface OperationSender {
  readonly permissions: Caller['permissions'];
  readonly requestId: string;
}

export interface TrustRules {
  readonly documents: TrustedDocuments;
  readonly mode: 'enforce' | 'log';
}

export class OperationGate {
  constructor(
    private readonly rules: TrustRules | null,
    private readonly metrics: Pick<Metrics, 'recordUntrusted' | 'recordError'>,
    private readonly log: Pick<Logger, 'untrustedOperation'>,
  ) {}

  /**
   * Returns the request with the text of its operation. Returns an error if the operation may not run. A request without a text and
   * without a `documentId` is returned unchanged: Apollo Server asks for the text.
   */
  admit(request: GraphqlRequest, sender: OperationSender): GraphqlRequest | HttpError {
    if (this.rules === null) return request;
    const { documents } = this.rules;
    const published = request.ids.map((id) => documents.find(id)).find((text) => text !== undefined);
    if (published !== undefined) return request.withText(published);
    const { text } = request;
    if (text !== '') {
      return this.allows(text, sender, () => request.operationName) ? request.withText(text) : this.reject(message);
    }
    if (!request.hasDocumentId) return request;
    this.record('rejected', sender, request.operationName);
    return this.reject(unknownIdMessage);
  }

  /** Checks an operation that an estimate or a batch would run. Throws an error for the client if the caller may not run it. */
  checkSubmitted(text: string, sender: OperationSender, operationName: string | null): void {
    if (this.allows(text, sender, () => operationName)) return;
    throw new GraphQLError(`\`operation\` is rejected. ${message}`, { extensions: { code } });
  }

  private reject(reason: string): HttpError {
    this.metrics.recordError(code);
    return new HttpError(400, reason, code);
  }

  /** Whether the sender may run this operation. */
  allows(text: string, sender: OperationSender, findName: () => string | null): boolean {
    if (this.rules === null || this.rules.documents.has(text)) return true;
    const mayExplore = sender.permissions?.has(exploreScope) === true;
    const action = mayExplore ? 'explored' : this.rules.mode === 'log' ? 'logged' : 'rejected';
    this.record(action, sender, findName());
    return action !== 'rejected';
  }

  private record(
    action: 'explored' | 'logged' | 'rejected',
    { requestId }: OperationSender,
    operationName: string | null,
  ): void {
    this.metrics.recordUntrusted(action);
    if (action !== 'explored')
      this.log.untrustedOperation({ requestId, operation: toLoggableName(operationName), action });
  }
}
