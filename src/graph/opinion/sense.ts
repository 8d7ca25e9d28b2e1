import { agreedValue, distinctTexts, fold, type OpinionDocument } from './opinion-document';
import type { OpinionSense } from './types';

const senses: ReadonlyMap<string, OpinionSense> = new Map([
  ['positiva', 'POSITIVE'],
  ['positivo', 'POSITIVE'],
  ['negativa', 'NEGATIVE'],
  ['negativo', 'NEGATIVE'],
  ['sinopinion', 'NO_OPINION'],
]);

/** The conclusion, «Por lo anterior, se emite opinión Positiva.» The rest of the sentence must be one of the senses. */
const conclusion =
  /\bse emite (?:la |esta |una )?(?:presente )?opinion(?: del? cumplimiento de obligaciones fiscales)?(?: en materia de seguridad social)?,?(?: en sentido)? ([^.;]*)/g;

/**
 * Returns the sense if the chain, the conclusion and the label agree. Each of them may be missing. Returns null if one is not
 * understood.
 */
export function readSense(document: OpinionDocument): OpinionSense | null {
  const stated = distinctTexts([
    ...document.chain('Opinion'),
    ...document.labelled(/^sentido(?: de la opinion)?$/),
    ...[...document.prose.matchAll(conclusion)].map(([, end = '']) => end),
  ]);
  return agreedValue((stated ?? []).map((text) => senses.get(fold(text).replace(/\s|\.$/g, '')) ?? null));
}

/** Statements of the prose that belong to a document of one sense only. */
const statements: Readonly<Record<OpinionSense, RegExp>> = {
  POSITIVE: /(?<!\bno )\b(?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NEGATIVE: /\bno (?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NO_OPINION: /\bno (?:se puede|es posible|hay elementos para) emitir (?:una|la) opinion/,
};

/** Words that mark an invalid document. */
const invalidity =
  /cancelad[ao]|anulad[ao]|revocad[ao]|invalid[ao]|\b(?:sin|carece de|no tiene) (?:\w+ )?(?:validez|efecto)/;
/** Marks of an invalid document in a text without spaces, because spaced-out letters are read as separate words. */
const denseInvalidity = /cancelad[ao]|sinvalidez|noalcorriente/;
const negation = /\b(?:no|tampoco|nunca|jamas|ni|sin|niega|deniega|negar)\b/;
const finding = /\bal corriente\b|\bopinion(?: \w+){0,3} positiv[ao]\b|\bse emite\b/;

/** Whether the prose contradicts this sense. Any doubt contradicts POSITIVE. */
export function contradictsSense(prose: string, sense: OpinionSense): boolean {
  const dense = prose.replaceAll(' ', '');
  if (invalidity.test(prose) || denseInvalidity.test(dense)) return true;
  if (Object.entries(statements).some(([other, statement]) => other !== sense && statement.test(prose))) return true;
  return sense === 'POSITIVE' && (/negativ[ao]/.test(dense) || prose.split(/[.;:|]/).some(deniesFinding));
}

/** Whether a sentence negates its finding: «tampoco se emite», «no se encuentra actualmente al corriente». */
function deniesFinding(sentence: string): boolean {
  // «No tiene créditos, por lo que se encuentra al corriente»: the second clause is not negated.
  return sentence.split(/\bpor (?:lo que|lo tanto|tanto)\b/).some((clause) => {
    const from = clause.search(negation);
    return from >= 0 && finding.test(clause.slice(from));
  });
}
