import { useApolloClient, useQuery } from '@apollo/client/react';
import { type RetryResult, retryFailed } from 'padron-client/apollo';
import { textOfError } from 'padron-client/texts';
import { useEffect, useRef, useState } from 'react';
import { Answer } from './answer';
import { CheckPersonDocument, type CheckPersonQueryVariables } from './generated/graphql';
import { registries } from './registries';
import { Verdict } from './verdict';

interface ReportProps {
  readonly variables: CheckPersonQueryVariables;
  readonly onStartAgain: () => void;
}

/** Checks a person, and shows each answer when it arrives. */
export function Report({ variables, onStartAgain }: ReportProps) {
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(CheckPersonDocument, { variables });
  const [retried, setRetried] = useState<RetryResult | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const person = data?.person ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mount.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
    const mounted = new AbortController();
    void retryFailed(client, CheckPersonDocument, variables, { signal: mounted.signal }).then(setRetried);
    return () => mounted.abort();
  }, []);

  // In development, React mounts each component twice, and the first mount is aborted.
  const isSettled = retried !== null && retried !== 'aborted';
  const isRetryable = registries.some(({ field }) => person?.[field]?.problems.some(({ retryable }) => retryable));

  const tryAgain = () => {
    setRetried(null);
    void retryFailed(client, CheckPersonDocument, variables, { payAgain: true }).then(setRetried);
  };

  return (
    <section className="report">
      <div className="section-head">
        <h2 ref={heading} tabIndex={-1}>
          Resultado
        </h2>
        <button type="button" className="secondary" onClick={onStartAgain}>
          Nueva consulta
        </button>
      </div>
      {error && person === null ? (
        <div className="verdict bad" role="alert">
          <strong>No se pudo consultar</strong>
          <p>{textOfError(error, 'es')}</p>
          <button type="button" className="secondary" onClick={() => void refetch()}>
            Intentar de nuevo
          </button>
        </div>
      ) : (
        <>
          <Verdict person={person} />
          <div className="card">
            {registries.map((registry) => (
              <Answer key={registry.field} registry={registry} person={person} />
            ))}
          </div>
        </>
      )}
      {isSettled && isRetryable && (
        <div className="again">
          <p>Faltan respuestas. Volver a consultar puede tener costo.</p>
          <button type="button" className="secondary" onClick={tryAgain}>
            Volver a consultar
          </button>
        </div>
      )}
    </section>
  );
}
