import { isPending } from 'padron-client';
import { type Person, registries } from './registries';

interface VerdictText {
  readonly tone: 'good' | 'bad' | 'warn' | 'waiting';
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
      title: 'Los datos son de personas distintas',
      text: 'Revise el NSS y la CURP con su cliente antes de continuar. No mostramos las respuestas, porque podrían ser de otra persona.',
    };
  if (person === null || registries.some(({ field }) => isPending(person[field])))
    return {
      tone: 'waiting',
      title: 'Consultando los registros',
      text: 'Mostramos cada respuesta en cuanto llega. Algunos registros tardan más.',
    };
  if (status === 'CONSISTENT')
    return {
      tone: 'good',
      title: 'Los registros coinciden',
      text: 'Todo indica que se trata de una sola persona.',
    };
  return {
    tone: 'warn',
    title: 'No hay datos suficientes',
    text: 'Ningún registro contradice a otro, pero faltan respuestas para saber si se trata de una sola persona.',
  };
}
