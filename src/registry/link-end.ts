/** Returns when a signed link ends, by its parameter `expires` (seconds since 1970). Null if the link has none. */
export function findLinkEnd(link: string | null | undefined): number | null {
  const seconds = /[?&]expires=(\d{1,12})(?:[&#]|$)/.exec(link ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}
