/** One registry call of an operation, as the graph reports it. */
export interface UnitCall {
  /** The field that asked first. */
  readonly path: readonly (string | number)[];
  readonly endpoint: string;
  readonly outcome: string;
  readonly units: number;
  readonly servedFrom: string;
  /** Milliseconds after the request began. */
  readonly at: number;
  readonly ms: number;
}

/** What an operation spent. */
export interface UnitUsage {
  readonly spent: number;
  readonly uncertain: number;
  readonly saved: number;
  readonly calls: readonly UnitCall[];
}

/** What an operation would cost, field by field, and why some of it is free. */
export interface Estimate {
  readonly estimatedUnits: number;
  /** Null where nothing bounds it. */
  readonly atMost: number | null;
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[] | null;
  }[];
  readonly currentBalance: string | null;
  readonly sufficient: boolean | null;
  readonly endpoints: readonly {
    readonly url: string;
    readonly fields: readonly string[];
    readonly calls: number;
    readonly unitsPerCall: number;
    readonly subtotal: number;
  }[];
}

export interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly estimate?: Estimate; readonly budget?: number };
}

/** An answer of the graph. */
export interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly units?: UnitUsage; readonly estimate?: Estimate };
}
