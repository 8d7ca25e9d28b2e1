/**
 * Returns the key that `padron batch` derives from the same operation, choices and file (`keyOf`), so that neither buys what the
 * other has bought. Returns null if the page is not served over HTTPS or on localhost, because browsers then compute no digests.
 */
export async function deriveKey(parts: readonly unknown[], file: File): Promise<string | null> {
  if (!isSecureContext) return null;
  const bytes = await new Blob([JSON.stringify(parts), file]).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const base64 = btoa(String.fromCharCode(...digest));
  return `padron-batch-${base64.replaceAll('+', '-').replaceAll('/', '_').slice(0, 32)}`;
}
