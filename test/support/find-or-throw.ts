/** The first entry that matches; the sandbox's data is expected to hold one. */
export function findOrThrow<Entry>(entries: readonly Entry[], matches: (entry: Entry) => unknown): Entry {
  const entry = entries.find(matches);
  if (entry === undefined) throw new Error('The sandbox holds no such entry.');
  return entry;
}
