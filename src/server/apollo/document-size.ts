import type { DocumentNode, Token } from 'graphql';

/** Measured bytes of a token, with its node and its location. */
const bytesPerToken = 350;
/** Bytes of a character in a text with letters beyond Latin-1. In other texts a character takes one byte. */
const bytesPerCharacter = 2;

/** Estimates the bytes of a document in memory. The parsed form of a dense text is up to two hundred times as large as the text. */
export function estimateDocumentBytes({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token: Token | null = loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return tokens * bytesPerToken + estimateTextBytes(loc?.source.body ?? '');
}

export function estimateTextBytes(text: string): number {
  return text.length * bytesPerCharacter;
}
