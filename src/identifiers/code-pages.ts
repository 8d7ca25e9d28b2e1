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
export function encodeInCodePage(text: string, { characters }: CodePage): Buffer | null {
  const letters = [...text];
  if (letters.some((letter) => letter >= '\u0080' && !characters.includes(letter))) return null;
  const bytes = Buffer.alloc(letters.length);
  for (const [index, letter] of letters.entries())
    bytes[index] = letter < '\u0080' ? letter.charCodeAt(0) : 128 + characters.indexOf(letter);
  return bytes;
}
