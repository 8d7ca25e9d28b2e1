/** The first entry that fits; the data of the sandbox promises one. */
export function found<Entry>(entries: readonly Entry[], fits: (entry: Entry) => boolean): Entry {
  const entry = entries.find(fits);
  if (entry === undefined) throw new Error('The sandbox holds no such entry.');
  return entry;
}
