/** Reason why a PDF cannot be read. */
export type PdfProblem = 'UNREADABLE' | 'TOO_LARGE' | 'TOO_LONG' | 'TOO_SLOW';

/** All lines of a PDF in the order of its pages, each with one or more cells, or the problem that prevents reading it. */
export type PdfReading = { readonly lines: readonly (readonly string[])[] } | { readonly problem: PdfProblem };
