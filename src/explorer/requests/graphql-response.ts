/** One registry call of an operation, as the graph reports it. */
export interface ReportedCall {
  /** Path of the field that caused the call. */
  readonly path: readonly (string | number)[];
  readonly endpoint: string;
  readonly outcome: string;
  readonly units: number;
  /** Price of the call if it may have been charged. The sum contains it unless the answer was reused. */
  readonly uncertain: number;
  readonly servedFrom: string;
  /** Milliseconds after the request began. */
  readonly at: number;
  readonly ms: number;
}

/** Units spent by an operation. */
export interface UnitUsage {
  readonly spent: number;
  readonly uncertain: number;
  readonly saved: number;
  readonly calls: readonly ReportedCall[];
}

/** Estimated cost of an operation by field, with the reasons why some calls are free. */
export interface Estimate {
  readonly estimatedUnits: number;
  /** Upper limit of the cost, or null if there is none. */
  readonly atMost: number | null;
  /** Price in pesos as decimal text, or null if padron has no price of a unit. */
  readonly amount: string | null;
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

/** A response of the graph. */
export interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly units?: UnitUsage; readonly estimate?: Estimate };
}
