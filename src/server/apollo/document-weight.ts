import type { DocumentNode, Token } from 'graphql';

/** Measured: a token with what the parser makes of it, its node and its place in the text. */
const bytesPerToken = 350;
/** Texts that hold a letter beyond Latin-1 take twice as much. */
const bytesPerCharacter = 2;

/** Bytes that a document takes in memory: the parser's tree and tokens are two hundred times as large as a dense text. */
export function weighDocument({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token: Token | null = loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return tokens * bytesPerToken + weighText(loc?.source.body ?? '');
}

export function weighText(text: string): number {
  return text.length * bytesPerCharacter;
}
