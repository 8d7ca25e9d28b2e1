/** The fields whose values are personal: identifiers, names, money, links. */
const personalFields = new Set(
  'number names email mobilePhone rfc curp nss url folio totalBalance amount name id birthDate holder'.split(' '),
);

/** Collects the personal values of an answer; of a signed link its signature too. */
export function collectSecrets(secrets: Set<string>, value: unknown, key = ''): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) collectSecrets(secrets, entry, name);
  } else if (typeof value === 'string' && personalFields.has(key) && value.length > 5) {
    secrets.add(value);
    const signature = URL.canParse(value) ? new URL(value).searchParams.get('signature') : null;
    if (signature !== null) secrets.add(signature);
  }
}

/** Returns the texts that contain a secret. Digits within a longer number do not count, because a time in seconds has many of them. */
export function findLeaks(
  secrets: ReadonlySet<string>,
  texts: readonly string[],
): readonly { secret: string; text: string }[] {
  return [...secrets].flatMap((secret) => {
    const pattern = /^\d+$/.test(secret) ? new RegExp(`(?<![\\d.])${secret}(?![\\d.])`) : null;
    return texts
      .filter((text) => (pattern === null ? text.includes(secret) : pattern.test(text)))
      .map((text) => ({ secret, text }));
  });
}
