/** The fields by which registries tell more of a person than was asked with: identifiers, money, links. */
const told = new Set(
  'number names email mobilePhone rfc curp nss url folio totalBalance amount name id birthDate holder'.split(' '),
);

/** Remembers what an answer told of a person; a signed link counts by its signature too. */
export function collectInto(secrets: Set<string>, value: unknown, key = ''): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) collectInto(secrets, each, name);
  } else if (typeof value === 'string' && told.has(key) && value.length > 5) {
    secrets.add(value);
    const signed = URL.canParse(value) ? new URL(value).searchParams.get('signature') : null;
    if (signed !== null) secrets.add(signed);
  }
}

/** The texts that hold a secret. Digits within a longer number are none: a time in seconds has many of them. */
export function leaksOf(
  secrets: ReadonlySet<string>,
  texts: readonly string[],
): readonly { secret: string; text: string }[] {
  return [...secrets].flatMap((secret) => {
    const within = /^\d+$/.test(secret) ? new RegExp(`(?<![\\d.])${secret}(?![\\d.])`) : null;
    return texts
      .filter((text) => (within === null ? text.includes(secret) : within.test(text)))
      .map((text) => ({ secret, text }));
  });
}
