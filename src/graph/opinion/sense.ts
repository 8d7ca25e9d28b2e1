import { agreedValue, fold, type Paper } from './paper';
import type { OpinionSense } from './types';

const words: ReadonlyMap<string, OpinionSense> = new Map([
  ['positiva', 'POSITIVE'],
  ['positivo', 'POSITIVE'],
  ['negativa', 'NEGATIVE'],
  ['negativo', 'NEGATIVE'],
  ['sinopinion', 'NO_OPINION'],
]);

/** «Por lo anterior, se emite opinión Positiva.»: what follows up to the end of the sentence has to be one of the words. */
const conclusion =
  /\bse emite (?:la |esta |una )?(?:presente )?opinion(?: del? cumplimiento de obligaciones fiscales)?(?: en materia de seguridad social)?,?(?: en sentido)? ([^.;]*)/g;

/** The sense on which the chain, the conclusion and the label agree, each as far as it is there; null where one is not understood. */
export function readSense(paper: Paper): OpinionSense | null {
  const stated = [
    ...paper.chain('Opinion'),
    ...paper.labelled(/^sentido(?: de la opinion)?$/),
    ...[...paper.prose.matchAll(conclusion)].map(([, end = '']) => end),
  ];
  return agreedValue(stated.map((text) => words.get(fold(text).replace(/\s|\.$/g, '')) ?? null));
}

/** What a document of each sense says of the employer in its prose, and no other does. */
const statements: Readonly<Record<OpinionSense, RegExp>> = {
  POSITIVE: /(?<!\bno )\b(?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NEGATIVE: /\bno (?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NO_OPINION: /\bno (?:se puede|es posible|hay elementos para) emitir (?:una|la) opinion/,
};

/** Whether the prose says of the employer what belongs to another sense. */
export function contradictsSense(prose: string, sense: OpinionSense): boolean {
  return Object.entries(statements).some(([other, statement]) => other !== sense && statement.test(prose));
}
