import { isPending } from 'padron-client';
import { type Person, registries } from './registries';

interface VerdictText {
  readonly tone: 'good' | 'plain' | 'bad' | 'warn' | 'waiting';
  readonly title: string;
  readonly text: string;
}

/** Says whether the answers are about one person. `person` is null until the first answers arrive. */
export function Verdict({ person }: { readonly person: Person | null }) {
  const { tone, title, text } = textOf(person);
  return (
    <div className={`verdict ${tone}`} role="status">
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
  );
}

function textOf(person: Person | null): VerdictText {
  const status = person?.consistency?.status;
  if (status === 'CONFLICTING')
    return {
      tone: 'bad',
      title: 'Los datos se contradicen',
      text: 'Pueden ser de personas distintas. Revise con su cliente lo que escribió antes de continuar. No mostramos las respuestas, porque podrían ser de otra persona.',
    };
  if (person === null || registries.some(({ field }) => isPending(person[field])))
    return {
      tone: 'waiting',
      title: 'Consultando los registros',
      text: 'Mostramos cada respuesta en cuanto llega. Algunos registros tardan más.',
    };
  // One identifier alone proves nothing: everything else comes from it. Only two that the client gave can agree.
  if (status === 'CONSISTENT' && person.nss !== null && person.curp !== null)
    return {
      tone: 'good',
      title: 'El NSS y la CURP coinciden',
      text: 'Según los registros, son de la misma persona. Compare estos datos con la identificación de su cliente.',
    };
  if (status === 'CONSISTENT')
    return {
      tone: 'plain',
      title: 'Compare estos datos con la identificación de su cliente',
      text: 'Es lo que los registros tienen de la persona con ese dato. Falta comprobar que sea su cliente.',
    };
  return {
    tone: 'warn',
    title: 'No hay datos suficientes',
    text: 'Ningún registro contradice a otro, pero lo que respondieron no basta para saber si se trata de una sola persona. Compare los datos con la identificación de su cliente.',
  };
}
