/** An encoding of one byte per character. Its first 128 characters are those of ASCII. */
export interface CodePage {
  readonly name: 'Windows-1252' | 'CP850' | 'MacRoman';
  /** The characters of the bytes from 128 to 255. */
  readonly characters: string;
}

// Without `stream`, Node 20 decodes Windows-1252 as Latin-1.
const upperBytes = Uint8Array.from({ length: 128 }, (_, index) => 128 + index);

/** Encodings of programs of Windows, MS-DOS and Mac OS before UTF-8. */
export const codePages: readonly CodePage[] = [
  { name: 'Windows-1252', characters: new TextDecoder('windows-1252').decode(upperBytes, { stream: true }) },
  {
    name: 'CP850',
    characters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  },
  { name: 'MacRoman', characters: new TextDecoder('macintosh').decode(upperBytes, { stream: true }) },
];

export const decodeCodePage = (bytes: Buffer, { characters }: CodePage): string =>
  bytes.toString('latin1').replace(/[\x80-\xff]/g, (byte) => characters.charAt(byte.charCodeAt(0) - 128));

/** Returns the bytes of a text, or null if the code page lacks a character. */
export function encodeInCodePage(text: string, characters: string): Buffer | null {
  const bytes: number[] = [];
  for (const character of text) {
    const index = characters.indexOf(character);
    if (index < 0 && character >= '\u0080') return null;
    bytes.push(index < 0 ? character.charCodeAt(0) : 128 + index);
  }
  return Buffer.from(bytes);
}
