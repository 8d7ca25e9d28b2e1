import { agreedValue, distinctTexts, fold, type Paper } from './paper';
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
  const stated = distinctTexts([
    ...paper.chain('Opinion'),
    ...paper.labelled(/^sentido(?: de la opinion)?$/),
    ...[...paper.prose.matchAll(conclusion)].map(([, end = '']) => end),
  ]);
  return agreedValue((stated ?? []).map((text) => words.get(fold(text).replace(/\s|\.$/g, '')) ?? null));
}

/** Statements of the prose that belong to a document of one sense only. */
const statements: Readonly<Record<OpinionSense, RegExp>> = {
  POSITIVE: /(?<!\bno )\b(?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NEGATIVE: /\bno (?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NO_OPINION: /\bno (?:se puede|es posible|hay elementos para) emitir (?:una|la) opinion/,
};

/** Words of a document that is not valid. */
const invalidity =
  /cancelad[ao]|anulad[ao]|revocad[ao]|invalid[ao]|\b(?:sin|carece de|no tiene) (?:\w+ )?(?:validez|efecto)/;
/** The same without blanks, as letters set apart are read. */
const denseInvalidity = /cancelad[ao]|sinvalidez|noalcorriente/;
const negation = /\b(?:no|tampoco|nunca|jamas|ni|sin|niega|deniega|negar)\b/;
const finding = /\bal corriente\b|\bopinion(?: \w+){0,3} positiv[ao]\b|\bse emite\b/;

/** Whether the prose contradicts this sense. A sense that is good news is contradicted by any doubt. */
export function contradictsSense(prose: string, sense: OpinionSense): boolean {
  const dense = prose.replaceAll(' ', '');
  if (invalidity.test(prose) || denseInvalidity.test(dense)) return true;
  if (Object.entries(statements).some(([other, statement]) => other !== sense && statement.test(prose))) return true;
  return sense === 'POSITIVE' && (/negativ[ao]/.test(dense) || prose.split(/[.;:|]/).some(deniesFinding));
}

/** Whether a sentence has a negation before what it finds: «tampoco se emite», «no se encuentra actualmente al corriente». */
function deniesFinding(sentence: string): boolean {
  // «No tiene créditos, por lo que se encuentra al corriente»: what follows is a clause of its own.
  return sentence.split(/\bpor (?:lo que|lo tanto|tanto)\b/).some((clause) => {
    const from = clause.search(negation);
    return from >= 0 && finding.test(clause.slice(from));
  });
}
