/** Why a PDF has no text for us. */
export type PdfProblem = 'UNREADABLE' | 'TOO_LARGE' | 'TOO_LONG' | 'TOO_SLOW';

/** A PDF's lines as they stand on its pages, each of one or more cells; whole, or not at all. */
export type PdfReading = { readonly lines: readonly (readonly string[])[] } | { readonly problem: PdfProblem };
