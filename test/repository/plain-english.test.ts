import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, readPage } from '../support/pages';

const src = join(__dirname, '../../src');
const comments = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => [...readFileSync(join(src, file), 'utf8').matchAll(/\/\*\*\s*(?:\*\s)?(.*)/g)])
  .map(([, text = '']) => text);

/** First words of a doc comment that has no subject: the reader has to guess what it is about. */
const withoutSubject = /^(?:What|Null|Where|Of|For|Who|Whom|Whose|By|As|How|Those|All that|Whoever|Nobody)\b/;
/** Number of such comments that are left. Lower it when you rewrite some of them. */
const maxWithoutSubject = 4;

/** Words and phrases that a reader has to translate first. */
const mannered =
  /\b(?:nobody|whoever|stands|anew|goes on|of (?:its|their) own|(?:is|are) no|beneath|by itself|held against|comes to|wherever|mend|given back|lies between|is away)\b/gi;
const maxMannered = 8;

describe('the language', () => {
  it('names the subject at the beginning of a doc comment', () => {
    expect(comments.length).toBeGreaterThan(1_000);
    expect(comments.filter((text) => withoutSubject.test(text)).length).toBeLessThanOrEqual(maxWithoutSubject);
  });

  it('needs no translation in the documents and in the schema', () => {
    const texts = [...pages, readPage('schema/padron.graphql')].map(({ text }) => text);
    expect(texts.flatMap((text) => text.match(mannered) ?? []).length).toBeLessThanOrEqual(maxMannered);
  });
});
