import type { GraphQLError } from 'graphql';

/** Errors that an answer lists: whoever reads more than these has read enough. */
export const maxListedErrors = 100;

/** The first errors of an execution, and how many more there were. */
export interface CountedErrors {
  readonly errors: readonly GraphQLError[];
  readonly omittedErrors: number;
}

export class ErrorList {
  private readonly errors: GraphQLError[] = [];
  private omittedErrors = 0;

  /** An error is made only where it is listed. */
  add(makeError: () => GraphQLError): void {
    if (this.errors.length < maxListedErrors) this.errors.push(makeError());
    else this.omittedErrors += 1;
  }

  count(): CountedErrors {
    const { errors, omittedErrors } = this;
    return { errors, omittedErrors };
  }
}
