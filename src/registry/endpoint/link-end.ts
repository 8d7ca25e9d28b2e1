import { parseInstant } from '../../identifiers/dates';

/** Returns when a signed link ends: at the announced time, or by its parameter `expires` (seconds since 1970). Null if there is neither. */
export function findLinkEnd(link: string | null, announced: string | null = null): number | null {
  const instant = parseInstant(announced);
  if (instant !== null) return Date.parse(instant);
  const seconds = /[?&]expires=(\d{1,12})(?:[&#]|$)/.exec(link ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}
