export function findOrThrow<Entry>(entries: readonly Entry[], matches: (entry: Entry) => unknown): Entry {
  const entry = entries.find(matches);
  if (entry === undefined) throw new Error('The sandbox holds no such entry.');
  return entry;
}
