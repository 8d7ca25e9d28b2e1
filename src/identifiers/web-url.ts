/** Returns an absolute http(s) URL without surrounding spaces. Returns null for anything else, such as `javascript:` or `file:`. */
export function parseWebUrl(text: string | null): string | null {
  const url = text?.trim() ?? '';
  return /^https?:\/\/[^/?#\\\s]/i.test(url) && URL.canParse(url) ? url : null;
}
