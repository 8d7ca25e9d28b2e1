function sectionsOf(changelog: string): ReadonlyMap<string, string> {
  const sections = changelog.split(/^## /m).slice(1);
  return new Map(sections.map((section) => [section.split('\n', 1)[0]?.trim() ?? '', section]));
}

function breakingPartOf(section: string): string {
  const parts = section.split(/^### /m).slice(1);
  return parts.filter((part) => /^Breaking(?:, for frontends)?\s*$/m.test(part.split('\n', 1)[0] ?? '')).join('\n');
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Whether a changelog names an element under **Breaking** in what is unreleased, or was released since `then`: an
 * announcement that a release has moved under its number is still one.
 */
export function announcer(changelog: string, then: string): (coordinate: string) => boolean {
  const before = sectionsOf(then);
  const sections = [...sectionsOf(changelog)].filter(
    ([heading]) => /unreleased/i.test(heading) || !before.has(heading),
  );
  const text = sections.map(([, section]) => breakingPartOf(section)).join('\n');
  // `Person.credit` is named neither by `Person.creditor` nor by an argument of its own, and `Person` not by a field of it.
  return (coordinate) => new RegExp(`(?<![\\w.])${quoted(coordinate)}(?!\\w|\\.\\w|\\()`).test(text);
}
