/** All texts and facts of a code of a problem or of a GraphQL error. Everything that prints, sends or documents the code reads it here. */
export interface CodeEntry<Code extends string = string> extends Facts, Texts {
  readonly code: Code;
  /** The message in Spanish. Null if only GraphQL errors have the code, because they are always in English. */
  readonly spanish: string | null;
}

export interface ProblemEntry<Code extends string = string> extends CodeEntry<Code> {
  readonly spanish: string;
}

interface Facts {
  /** Part of the error reference that lists the code, such as `GraphQL errors: the request`. */
  readonly group: string;
  /** Outcome, field or HTTP status with which the code is returned, as Markdown. */
  readonly where: string;
  /** Whether the call was charged: `no`, `yes` or `unknown`, and when. */
  readonly charged: string;
  /** Whether the same question may succeed later without a change. */
  readonly retryable: boolean;
  /** Whether it is a remark: a warning that changes no outcome, and no question that depends on the answer. */
  readonly isRemark?: true;
  /**
   * Part of a GraphQL error with this code that an answer shows: its message, the message without values of the document, or also its extensions.
   * Otherwise the error is masked, because its message may quote the request.
   */
  readonly shows?: 'message' | 'redacted message' | 'message and extensions';
}

interface Texts {
  /** Message for developers, which says what is wrong. A problem or an error may have a message that says more. */
  readonly message: string;
  /** Text of the client kit for users. */
  readonly forUsers: string;
  readonly forUsersSpanish: string;
  /** Advice, as Markdown that follows "To do:". */
  readonly toDo: string;
  /** Time or condition of a retry that may succeed. */
  readonly retry?: string;
}

/** The codes of problems in a table, for `ProblemCodes`. */
export type ProblemsIn<Table> = {
  readonly [Code in keyof Table as Table[Code] extends ProblemEntry ? Code : never]: Code;
};

type SharedFacts = Pick<Facts, 'group' | 'where'> & Partial<Facts>;
type Written = Texts & Partial<Facts>;

const defaults = { charged: 'no', retryable: false, spanish: null };

/** Returns entries of codes of GraphQL errors. An entry may state other facts than those that the table shares. */
export function errorsAbout<Code extends string>(
  shared: SharedFacts,
  table: Readonly<Record<Code, Written>>,
): { readonly [Name in Code]: CodeEntry<Name> } {
  const entries = Object.entries<Written>(table).map(([code, written]) => [
    code,
    { ...defaults, ...shared, ...written, code },
  ]);
  return Object.fromEntries(entries);
}

export function problemsAbout<Code extends string>(
  shared: SharedFacts,
  table: Readonly<Record<Code, Written & { readonly spanish: string }>>,
): { readonly [Name in Code]: ProblemEntry<Name> } {
  return errorsAbout(shared, table) as { readonly [Name in Code]: ProblemEntry<Name> };
}

/** What padron says about the codes of a room or an extension, by code. It is beside the code that uses it. */
export type CodeTable = Readonly<Record<string, CodeEntry>>;

/** Returns the entries of tables, those of a group together. */
export function inGroups(tables: readonly CodeTable[]): readonly CodeEntry[] {
  const entries = tables.flatMap((table) => Object.values(table));
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.flatMap((name) => entries.filter(({ group }) => group === name));
}
