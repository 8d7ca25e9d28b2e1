import { GraphQLError } from 'graphql';
import type {
  CallerOperations,
  LastingOperation,
  LastingOperations,
  NamedOperation,
} from '../money/answers/operations/lasting-operations';
import { UnauthenticatedError } from '../registry/answer/answer';
import { type Caller, ownerOf, type RequestLabels } from '../registry/caller';
import { StoreUnavailableError } from '../store/store';
import type { KnownAccounts } from './auth/known-accounts';
import { minKeptIdLength, type OperationHeaders } from './http/request-headers';

export interface LastingRequest {
  readonly lasting: LastingOperation | null;
  /** Names that the operation would have if it lasted, by which the store notices that it has begun to. */
  readonly lastingNames: readonly string[];
  readonly until: Date | null;
  /** Why it is unknown whether the operation lasts. Null if it is known. */
  readonly failure: StoreUnavailableError | null;
}

type OwnerLabels = Pick<RequestLabels, 'holder' | 'client'>;

const none: LastingRequest = { lasting: null, lastingNames: [], until: null, failure: null };

/** Finds the operations of requests that last, in the store. */
export class LastingRequests {
  constructor(
    private readonly operations: LastingOperations | null,
    private readonly knownAccounts: KnownAccounts,
  ) {}

  /** Finds the operation of a request, or begins it. Throws an error for the client if the operation is to last and cannot. */
  async find(caller: Caller, labels: OwnerLabels, operation: OperationHeaders | null): Promise<LastingRequest> {
    const { operations } = this;
    // Without a token the operation fails, free of charge.
    if (operations === null || operation === null || operation.id.length < minKeptIdLength || caller.bearer === null)
      return none;
    const named = nameOf(caller, labels, operation.id);
    const lastingNames = operations.namesOf(named);
    try {
      // Without this check, callers with invented tokens could fill the disk.
      const mayBegin = async (): Promise<boolean> => (await this.knownAccounts.verify(caller)) === null;
      const found = await operations.begin({ ...operation, ...named }, mayBegin);
      if (found === 'full') throw quotaExceeded();
      if (found === 'refused') throw unavailable('the service could not be asked whether it knows the token');
      return found === null ? { ...none, lastingNames } : { ...none, ...found };
    } catch (error) {
      if (error instanceof UnauthenticatedError) return none;
      if (!(error instanceof StoreUnavailableError)) throw error;
      // A call of an operation that has begun to last is not sent without its limit: the store recognizes its names.
      if (operation.keepMs === null) return { ...none, lastingNames, failure: error };
      throw unavailable('the store is unavailable');
    }
  }

  /** Returns the access of a caller to its operations, or null without a store. */
  of(caller: Caller, labels: OwnerLabels): CallerOperations | null {
    const { operations } = this;
    return (
      operations && {
        find: (id) => operations.find(nameOf(caller, labels, id)),
        end: (id) => operations.end(nameOf(caller, labels, id)),
      }
    );
  }
}

/** Without JWTs anyone can claim to be a client, so the account has the operations. */
const nameOf = (caller: Caller, { holder, client }: OwnerLabels, id: string): NamedOperation => ({
  caller,
  holder: caller.permissions === null ? null : holder,
  owner: ownerOf({ caller, client }),
  id,
});

const unavailable = (reason: string): GraphQLError =>
  new GraphQLError(`The operation cannot last now, because ${reason}. Nothing was run. Retry in 5 seconds.`, {
    extensions: { code: 'LEDGER_UNAVAILABLE', http: { status: 503, headers: new Map([['retry-after', '5']]) } },
  });

const quotaExceeded = (): GraphQLError =>
  new GraphQLError(
    'The operations of this account, or with JWTs of this client, keep as many bytes as they may (KEEP_ACCOUNT_BYTES), so no further operation can last. Nothing was run. End operations that you no longer need, or ask the operator to raise the limit.',
    { extensions: { code: 'KEEP_QUOTA_EXCEEDED', http: { status: 400 } } },
  );
