export interface PublishedDocument {
  readonly source: string;
  /** Key of the document in its file, or null if the file has no keys. */
  readonly id: string | null;
  readonly text: string;
}

/** Error for a file of documents or variables that cannot be used. Its message names the file and says what to do. */
export class DocumentFileError extends Error {
  override readonly name = 'DocumentFileError';
}
