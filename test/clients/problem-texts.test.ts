import { problemTexts, textOfProblem } from '../../schema/client/problem-texts';
import { problemCodes } from '../../src/registry/answer/problem';
import { spanishMessages } from '../../src/registry/answer/spanish-messages';

const codes = Object.keys(problemCodes);
const isSentence = (text: unknown): boolean => typeof text === 'string' && /^.{5,199}[.?]$/.test(text);

describe('the texts of problems', () => {
  it('exist for every code in both languages, and for no other code', () => {
    const texts: Readonly<Record<string, { readonly en?: string; readonly es?: string }>> = problemTexts;
    expect(codes.filter((code) => !isSentence(texts[code]?.en) || !isSentence(texts[code]?.es))).toEqual([]);
    expect(Object.keys(texts).filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('differ between the languages', () => {
    expect(Object.entries(problemTexts).filter(([, { en, es }]) => en === es)).toEqual([]);
  });

  it('fall back if the code is newer than the client', () => {
    expect(textOfProblem({ code: 'WRONG_PASSWORD' })).toBe('La contraseña es incorrecta.');
    expect(textOfProblem({ code: 'WRONG_PASSWORD' }, 'en')).toBe('The password is wrong.');
    expect(textOfProblem({ code: 'OF_NEXT_YEAR' }, 'en')).toBe('This could not be answered.');
    expect(textOfProblem({ code: 'toString', retryable: true }, 'es')).toMatch(/Inténtelo más tarde/);
  });
});

describe("the server's Spanish messages", () => {
  it('exist for every code, and for no other code', () => {
    const messages: Readonly<Record<string, string>> = spanishMessages;
    expect(codes.filter((code) => !isSentence(messages[code]))).toEqual([]);
    expect(Object.keys(messages).filter((code) => !codes.includes(code))).toEqual([]);
  });
});
