import { type DocumentNode, type GraphQLError, Source, type SourceLocation } from 'graphql';

const maxLocations = 10;

const texts = new WeakMap<Source, DocumentText>();

/**
 * Empties the source that the nodes of a document refer to. graphql-js scans this text from its beginning for each error that it
 * creates, which takes too long for many errors in a large document. `locate` finds the line and the column instead.
 */
export function detachSource(document: DocumentNode): void {
  const { loc } = document;
  if (loc === undefined || texts.has(loc.source)) return;
  const { source } = loc;
  texts.set(source, new DocumentText(source.body));
  // The document node itself keeps the text.
  Object.assign(document, { loc: { ...loc, source: new Source(source.body, source.name) } });
  Object.assign(source, { body: '' });
}

export function locate({ source, positions, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const text = source === undefined ? undefined : texts.get(source);
  if (text === undefined || positions === undefined) return locations?.slice(0, maxLocations);
  return positions.slice(0, maxLocations).map((position) => text.locate(position));
}

class DocumentText {
  private starts: readonly number[] | null = null;

  constructor(private readonly text: string) {}

  locate(position: number): SourceLocation {
    this.starts ??= [0, ...Array.from(this.text.matchAll(/\r\n|[\n\r]/g), ({ 0: end, index }) => index + end.length)];
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: position + 1 - (this.starts[low] ?? 0) };
  }
}
