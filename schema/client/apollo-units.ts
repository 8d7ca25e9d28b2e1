import { ApolloLink, Observable, ServerError } from '@apollo/client';
import { type OnUnits, readUnits } from './units';

/** Returns a link for `ApolloLink.from([unitsLink(onUnits), httpLink])`. It reports `extensions.units` of each response, including errors. */
export function unitsLink(onUnits: OnUnits): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const report = (extensions: unknown): void => {
      const usage = readUnits(extensions);
      if (usage !== null) onUnits(usage, { name: operation.operationName, variables: operation.variables });
    };
    return new Observable((observer) =>
      forward(operation).subscribe({
        next: (result) => {
          report(result.extensions);
          observer.next(result);
        },
        error: (error: unknown) => {
          if (ServerError.is(error)) report(parseExtensions(error.bodyText));
          observer.error(error);
        },
        complete: () => observer.complete(),
      }),
    );
  });
}

function parseExtensions(body: string): unknown {
  try {
    return Object(JSON.parse(body)).extensions;
  } catch {
    return null;
  }
}
