import { useQuery } from '@apollo/client/react';
import { isFound } from 'padron-client';
import { textOfError, textOfProblem } from 'padron-client/texts';
import { CreditDocument } from './generated/graphql';

export function Credit({ nss }: { nss: string }) {
  const { data, error, loading } = useQuery(CreditDocument, { variables: { nss } });
  if (loading) return <p>Consultando…</p>;
  if (error) return <p role="alert">{textOfError(error, 'es')}</p>;
  const credit = data?.person?.credit;
  if (isFound(credit)) return <p>{credit.record.hasCredit ? 'Tiene un crédito.' : 'No tiene crédito.'}</p>;
  const [problem] = credit?.problems ?? [];
  return <p role="alert">{problem ? textOfProblem(problem, 'es') : 'El registro no tiene datos de esta persona.'}</p>;
}
