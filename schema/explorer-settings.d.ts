import type { Text } from '../src/identifiers/text';

/** Settings that the server passes to the explorer's page. Both import this file. */
export interface ExplorerSettings {
  readonly tabs: readonly ExplorerTab[];
  /** Headers of a new tab, as JSON text. */
  readonly headers: string;
  /** Whether callers have their own tokens, so that the page asks for one. */
  readonly needsToken: boolean;
  /** Kind of the service. The answers of both sandboxes are invented. */
  readonly service: 'embedded-sandbox' | 'remote-sandbox' | 'remote';
  /** Time zone of the ledger's days and months. */
  readonly timeZone: string;
  /** Purposes that a request may name. The list is empty if the operator set none. */
  readonly purposes: readonly string[];
  /** Whether everything that costs units needs a purpose. */
  readonly needsPurpose: boolean;
  /** Whether batches may call every endpoint (`BATCH_ENDPOINTS=any`). */
  readonly batchesCallAny: boolean;
  /** Seconds that an answer is replayed. */
  readonly replaySeconds: number;
  /** Maximum age in days of a paid answer that a run uses again. 0 if the operator does not allow it. */
  readonly reuseDays: number;
  /** Content of the sandbox, or null if the service is not a sandbox. */
  readonly sandbox: SandboxGuide | null;
}

/** A tab. Variables and headers are JSON text. */
export interface ExplorerTab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** People, employers and test cards of the sandbox. */
export interface SandboxGuide {
  readonly tokens: readonly { readonly token: string; readonly about: Text }[];
  readonly people: readonly GuideEntry[];
  /** People whom the registries do not write alike, with what differs. */
  readonly uncleanPeople: readonly GuideEntry[];
  readonly employers: readonly GuideEntry[];
  readonly failures: readonly GuideEntry[];
  readonly credentials: readonly GuideCredential[];
  /** Identifiers for the tabs. */
  readonly examples: Readonly<Record<ExampleName, string>>;
  /** A dataset for a batch, as CSV. Part of padron, not of the sandbox. */
  readonly peopleCsv: string;
}

type ExampleName = 'nss' | 'nssOverBudget' | 'curp' | 'licence' | 'certificate' | 'registration' | 'period' | 'receipt';

/** A person, an employer or a test card, with its identifiers. */
export interface GuideEntry {
  /** Name of the person or employer. Null for a test card. */
  readonly title: string | null;
  /** Name of the failure that a test card simulates. */
  readonly code: string | null;
  readonly about: Text;
  readonly identifiers: readonly { readonly name: string; readonly value: string }[];
}

/** Files and password of an invented e.firma, to try the check of a signature. */
export interface GuideCredential {
  readonly name: string;
  readonly rfc: string;
  readonly password: string;
  readonly certificate: string;
  readonly privateKey: string;
}
