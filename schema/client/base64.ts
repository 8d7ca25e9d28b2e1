/** Bytes that fit into the arguments of one call. */
const chunkBytes = 0x8000;

/** Returns the content of a file as base64, for example for `certificate: { base64 }`. */
export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunkBytes)
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkBytes));
  return btoa(binary);
}

/** The fields of a document. Select `content`, and the others if you need them. */
export interface InlineFile {
  readonly content?: string | null;
  readonly contentType?: string | null;
  readonly filename?: string | null;
}

/**
 * Returns the inline content of a document as a file, or null if there is none. Its type is what the registry says, so only render a PDF.
 * Save any other file.
 */
export function toFile({ content, contentType, filename }: InlineFile, name = 'document'): File | null {
  if (content === null || content === undefined) return null;
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], filename ?? name, { type: contentType ?? 'application/octet-stream' });
}
