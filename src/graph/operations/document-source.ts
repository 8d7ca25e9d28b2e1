import { type DocumentNode, type GraphQLError, Source, type SourceLocation } from 'graphql';

/** Of an error that points at many places. */
const maxLocations = 10;

/** Texts of documents by the source that their nodes name. */
const texts = new WeakMap<Source, DocumentText>();

/**
 * Takes its text from the source that the nodes of a document name. graphql-js looks for the line of each error as it makes it, by
 * reading the text from its beginning; in none it finds the place at once, and `locate` says where that is.
 */
export function detachSource(document: DocumentNode): void {
  const { loc } = document;
  if (loc === undefined || texts.has(loc.source)) return;
  const { source } = loc;
  texts.set(source, new DocumentText(source.body));
  // The document itself keeps its text.
  Object.assign(document, { loc: { ...loc, source: new Source(source.body, source.name) } });
  Object.assign(source, { body: '' });
}

/** The text of the document that a node belongs to. */
export function textOf(source: Source): string {
  return texts.get(source)?.text ?? source.body;
}

/** The places that an error points at. */
export function locate({ source, positions, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const text = source === undefined ? undefined : texts.get(source);
  if (text === undefined || positions === undefined) return locations?.slice(0, maxLocations);
  return positions.slice(0, maxLocations).map((position) => text.locate(position));
}

/** Knows where the lines of a text begin. */
class DocumentText {
  private starts: readonly number[] | null = null;

  constructor(readonly text: string) {}

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
