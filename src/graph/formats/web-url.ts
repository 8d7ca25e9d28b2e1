/** An absolute http(s) URL, unchanged but for blanks around it; null for anything else, a script or a file above all. */
export function parseWebUrl(text: string | null): string | null {
  const url = text?.trim() ?? '';
  return /^https?:\/\/[^/?#\\\s]/i.test(url) && URL.canParse(url) ? url : null;
}
