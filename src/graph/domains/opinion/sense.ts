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
  NO_OPINION: /\bno (?:se puede|es posible|hay elementos para) emitir (?:una |la )?opinion|\bsin opinion\b/,
};

/** Words that mark an invalid document. */
const invalidity =
  /\bnul[ao]s?\b|\bno (?:es |son )?valid[ao]|suspendid[ao]|rechazad[ao]|\b(?:sin|carece de|no tiene|no surte) (?:\w+ )?(?:validez|valor|efecto)/;
/** Marks of an invalid document in a text of letters only, because letters that are set apart are read as separate words. */
const denseInvalidity = /cancela[dc]|anulad|anulacion|revocad|invalid[ao]|sinvalidez|noalcorriente/;
const cancellation = /\bse (?:cancela|anula|revoca)\b/;
const negation = /\b(?:no|tampoco|nunca|jamas|ni|sin|niega|deniega|negar)\b/;
const finding = /\bal corriente\b|\bopinion(?: \w+){0,3} positiv[ao]\b|\bse emite\b/;
const limitation = /\b(?:excepto|salvo|a excepcion)\b/;
/** Phrases that state the finding of a positive opinion. Any other mention of «al corriente» limits or denies it. */
const upToDate = /\b(?:se encuentra(?:n|\(n\))?|esta|estan) al corriente\b/g;
const owing =
  /(?<!\bno )\b(?:presentan?|tienen?|registran?|existen?|se (?:detect|identific|observ)\w+) (?:\w+ ){0,2}(?:creditos|adeudos|omisiones)\b/;

/** Whether the prose contradicts this sense. Any doubt contradicts POSITIVE. */
export function contradictsSense(prose: string, sense: OpinionSense): boolean {
  const dense = prose.replace(/[^a-z]/g, '');
  if (invalidity.test(prose) || cancellation.test(prose) || denseInvalidity.test(dense)) return true;
  if (Object.entries(statements).some(([other, statement]) => other !== sense && statement.test(prose))) return true;
  return sense === 'POSITIVE' && (/negativ[ao]|desfavorable/.test(dense) || deniesPositive(prose));
}

function deniesPositive(prose: string): boolean {
  const mentions = prose.match(/\bal corriente\b/g)?.length ?? 0;
  if (mentions > (prose.match(upToDate)?.length ?? 0)) return true;
  return owing.test(prose) || prose.split(/[.;:|]/).some(deniesFinding);
}

/** Whether a sentence negates or limits its finding: «tampoco se emite», «no se encuentra actualmente al corriente». */
function deniesFinding(sentence: string): boolean {
  if (limitation.test(sentence) && finding.test(sentence)) return true;
  // «No tiene créditos, por lo que se encuentra al corriente»: the second clause is not negated.
  return sentence.split(/\bpor (?:lo que|lo tanto|tanto)\b/).some((clause) => {
    const from = clause.search(negation);
    return from >= 0 && finding.test(clause.slice(from));
  });
}
