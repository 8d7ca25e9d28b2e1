import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from '../../../registry/caller';
import { seal, unseal } from '../../../store/sealed-box';
import { lookupsByName } from '../../../store/statement-batcher';
import type { Store } from '../../../store/store';
import type { AccountNames } from '../../ledger/entries/account-names';
import type { DeletedRows } from '../../ledger/entries/purge';
import type { SharedNames } from '../shared-names';

/** An operation whose answers can be read with its key. */
export interface ReadableOperation {
  readonly id: string;
  readonly key: OperationKey;
}

/** Operations whose answers another one uses, if they are not older. */
export interface EarlierOperations {
  readonly operations: readonly ReadableOperation[];
  readonly maxAgeMs: number | null;
}

/** An operation whose answers are kept, and whose limit counts all its calls. */
export interface LastingOperation extends ReadableOperation {
  /** Number of the run of a batch. The store opens no call of another run. 0 for the operation of a caller. */
  readonly run: number;
  /** The part of the operation that shows the cost of an answer itself, however often it is tried: a row. Null for a request. */
  readonly payer: string | null;
  readonly retriesUnknown: boolean;
  /** Only a batch uses answers of others. */
  readonly earlier: EarlierOperations | null;
  readonly maxUnits: number | null;
  /** Units that are left when the request begins, without those that running calls have reserved. Null without a limit. */
  readonly left: number | null;
}

/** Whether the requests of an operation are parts that it sums up, which are the rows of a batch. */
export const isPart = (operation: LastingOperation | null): boolean => (operation?.payer ?? null) !== null;

/** Sums of an operation that lasts, over all its requests. */
export interface OperationSums {
  readonly spentUnits: number;
  /** Price of its running calls, and of those that may have been charged. */
  readonly uncertainUnits: number;
  /** Price of the questions that were answered without a call. */
  readonly savedUnits: number;
  readonly maxUnits: number | null;
  readonly leftUnits: number | null;
  readonly until: Date;
}

/** Operations of one account, or with JWTs of one client. */
export interface CallerOperations {
  /** Returns the sums, or null if no operation with this ID lasts. */
  find(id: string): Promise<OperationSums | null>;
  /** Deletes the operation and its kept answers. Returns its last sums, or null if no operation with this ID lasted. */
  end(id: string): Promise<OperationSums | null>;
}

/** An operation as a request names it. The ID is the secret of its owner. */
export interface NamedOperation {
  readonly caller: Caller;
  /** Client or person that the caller's JWT names. Null without JWTs: then the account has the operations. */
  readonly holder: string | null;
  /** Owner of the quota, within the account. */
  readonly owner: string;
  readonly id: string;
}

export interface OperationRequest extends NamedOperation {
  /** Milliseconds for which the operation lasts from now on. Null if the request does not say. */
  readonly keepMs: number | null;
  readonly maxUnits: number | null;
  readonly retriesUnknown: boolean;
}

export interface FoundOperation {
  readonly lasting: LastingOperation;
  readonly until: Date;
}

export interface OperationOptions {
  readonly store: Store;
  readonly names: SharedNames;
  readonly accounts: AccountNames;
  /** Maximum bytes that the operations of an account keep. If they are full, none begins, and no call is sent. */
  readonly accountBytes: number;
  /** Writes the closings that wait. */
  readonly flush: () => Promise<void>;
}

interface OperationRow {
  readonly id: string;
  readonly key: Buffer;
  readonly maxUnits: number | null;
  readonly spent: number;
  readonly uncertain: number;
  readonly reserved: number;
  readonly saved: number;
  readonly began: Date;
  readonly until: Date;
}

/** Answers that are deleted in a statement, so that none holds its locks for long. */
const answersPerStatement = 1_000;
const columns =
  'o.id, o.key, o.max_units AS "maxUnits", o.spent, o.uncertain, o.reserved, o.saved, o.began_at AS began, o.expires_at AS until';
type NamedRow = OperationRow & { readonly name: string };
const findSql = `SELECT n.name, ${columns} FROM operation_names n JOIN operations o ON o.id = n.operation
  WHERE n.name = ANY($1) AND o.expires_at > now()`;

/** The operations of callers that last, in the store. It has a keyed hash of their IDs, and their keys are sealed with them. */
export class LastingOperations {
  private readonly lookups = lookupsByName((names) => this.options.store.read<NamedRow>(findSql, [names]));

  constructor(private readonly options: OperationOptions) {}

  namesOf({ caller, holder, id }: NamedOperation): readonly string[] {
    return this.options.names.ofLastingOperation(caller, holder, id);
  }

  async find(named: NamedOperation): Promise<OperationSums | null> {
    await this.options.flush();
    const row = await this.lookups.add(this.namesOf(named));
    return row === undefined ? null : toSums(row);
  }

  /**
   * Returns the operation of a request, which may begin, extend or limit it. Null if it does not last, 'refused' if it may not begin, 'full' if
   * the quota is.
   */
  async begin(
    request: OperationRequest,
    mayBegin: () => Promise<boolean>,
  ): Promise<FoundOperation | 'refused' | 'full' | null> {
    const { id, keepMs, retriesUnknown } = request;
    let row: OperationRow | undefined = await this.lookups.add(this.namesOf(request));
    if (row === undefined && keepMs === null) return null;
    if (row === undefined && !(await mayBegin())) return 'refused';
    if (row === undefined || changes(row, request)) row = await this.write(request);
    if (row === undefined) return 'full';
    const key = this.openKey(id, row);
    if (key === null) return null;
    const { maxUnits, until } = row;
    const lasting = {
      id: row.id,
      key,
      run: 0,
      payer: null,
      retriesUnknown,
      earlier: null,
      maxUnits,
      left: unitsLeft(row),
    };
    return { lasting, until };
  }

  /** Ends an operation, and deletes its answers. Returns its sums, or null if there is none. */
  async end(named: NamedOperation): Promise<OperationSums | null> {
    await this.options.flush();
    const row = await this.lookups.add(this.namesOf(named));
    if (row === undefined) return null;
    await this.options.store.query('SELECT operation_end($1)', [row.id]);
    await deleteAnswers(this.options.store, row.id);
    return toSums(row);
  }

  private async write({ caller, id, keepMs, maxUnits, ...rest }: OperationRequest): Promise<OperationRow | undefined> {
    const { store, names, accounts, accountBytes } = this.options;
    const operation = randomUUID();
    const key = seal(sealingKeyOf(id), operation, names.seal(operation, randomBytes(32)));
    const parameters = [operation, accounts.namesOf(caller), rest.owner, this.namesOf({ caller, id, ...rest }), key];
    const [row] = await store.query<OperationRow>(
      `SELECT ${columns} FROM operation_begin($1, $2, $3, $4, $5, $6, $7, $8) o`,
      [...parameters, keepMs ?? 0, maxUnits, accountBytes],
    );
    return row;
  }

  private openKey(secret: string, { id, key }: OperationRow): OperationKey | null {
    const wrapped = unseal(sealingKeyOf(secret), id, key);
    const plain = wrapped === null ? null : this.options.names.open(id, wrapped);
    return plain === null ? null : new OperationKey(plain);
  }
}

const changes = ({ began, until, maxUnits }: OperationRow, request: OperationRequest): boolean =>
  (request.maxUnits !== null && request.maxUnits !== maxUnits) ||
  began.getTime() + (request.keepMs ?? 0) > until.getTime();

const unitsLeft = ({ maxUnits, spent, uncertain }: OperationRow): number | null =>
  maxUnits === null ? null : Math.max(0, maxUnits - spent - uncertain);

function toSums({ spent, uncertain, reserved, saved, maxUnits, until }: OperationRow): OperationSums {
  const uncertainUnits = uncertain + reserved;
  const leftUnits = maxUnits === null ? null : Math.max(0, maxUnits - spent - uncertainUnits);
  return { spentUnits: spent, uncertainUnits, savedUnits: saved, maxUnits, leftUnits, until };
}

const sealingKeyOf = (id: string): Buffer => Buffer.from(hkdfSync('sha256', id, '', 'padron operation id', 32));

/** Deletes what an operation keeps, and returns the number of answers. Its sums stay. */
export const deleteAnswers = (store: Store, operation: string): Promise<number> =>
  deleteInChunks(store, 'SELECT operation_forget($2, NULL, $1) AS deleted', [operation]);

async function deleteInChunks(store: Store, sql: string, parameters: readonly string[] = []): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await store.query<{ readonly deleted: number }>(sql, [answersPerStatement, ...parameters]);
    const deleted = row?.deleted ?? 0;
    total += deleted;
    if (deleted < answersPerStatement) return total;
  }
}

/** Deletes the operations that are over, and the kept answers that have ended. */
export async function purgeOperations(store: Store): Promise<DeletedRows> {
  let answers = await deleteInChunks(store, 'SELECT answer_purge($1) AS deleted');
  await store.query('SELECT answer_sweep()');
  const over = await store.query<{ readonly id: string }>('SELECT id FROM operations WHERE expires_at < now()');
  for (const { id } of over) {
    await store.query('SELECT operation_end($1)', [id]);
    answers += await deleteAnswers(store, id);
    await store.query(
      // Not `o.id`: its collation is not that of the index.
      'DELETE FROM operations o WHERE o.id = $1 AND NOT EXISTS (SELECT FROM answers_lasting a WHERE a.operation = $1)',
      [id],
    );
  }
  await store.query('DELETE FROM operation_quotas WHERE bytes = 0');
  return { answers, operations: over.length };
}

/** Characters of a name: 192 bits, so that two questions of an operation never have the same name. */
const nameLength = 32;

/**
 * The key of an operation that lasts, or of a batch. It encrypts personal data and names questions, in the same way in every process. Destroying
 * it destroys what the operation keeps, including all copies.
 */
export class OperationKey {
  private readonly sealing: Buffer;
  private readonly naming: Buffer;

  constructor(key: Buffer) {
    this.sealing = derive(key, 'sealing');
    this.naming = derive(key, 'naming');
  }

  /** Encrypts content. It cannot be decrypted for another `context`. */
  seal(context: string, content: string | Buffer): Buffer {
    return seal(this.sealing, context, typeof content === 'string' ? Buffer.from(content) : content);
  }

  open(context: string, sealed: Buffer): Buffer {
    const content = unseal(this.sealing, context, sealed);
    if (content === null) throw new Error('Sealed content cannot be decrypted with its key.');
    return content;
  }

  name(text: string): string {
    return createHmac('sha256', this.naming).update(text).digest('base64url').slice(0, nameLength);
  }
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `padron operation ${use}`, 32));
}
