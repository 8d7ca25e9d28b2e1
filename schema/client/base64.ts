/** Small enough that its bytes fit into the arguments of one call. */
const chunkBytes = 0x8000;

/** The content of a file as base64, for `certificate: { base64 }` and the like. */
export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunkBytes)
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkBytes));
  return btoa(binary);
}

/** What a document of an answer says of itself; select `content`, and the rest as you need it. */
export interface InlineFile {
  readonly content?: string | null;
  readonly contentType?: string | null;
  readonly filename?: string | null;
}

/** The inline content of a document as a file to save or to show; null where none came. Its type is the registry's word: save rather than render what is no PDF. */
export function toFile({ content, contentType, filename }: InlineFile, name = 'document'): File | null {
  if (content === null || content === undefined) return null;
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], filename ?? name, { type: contentType ?? 'application/octet-stream' });
}
