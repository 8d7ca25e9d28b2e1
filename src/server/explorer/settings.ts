/** What the explorer's page is told by the server; read by both, so it imports nothing. */
export interface ExplorerSettings {
  readonly tabs: readonly ExplorerTab[];
  /** Headers of a new tab, as JSON text. */
  readonly headers: string;
  /** Whose answers the page shows: those of both sandboxes are invented. */
  readonly service: 'embedded-sandbox' | 'remote-sandbox' | 'remote';
  /** Whose days and months the ledger counts. */
  readonly timeZone: string;
  /** Null where another service than a sandbox is asked. */
  readonly sandbox: SandboxGuide | null;
}

/** One tab: variables and headers are JSON text, as its panes show them. */
export interface ExplorerTab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** Who and what can be tried in the sandbox. */
export interface SandboxGuide {
  readonly tokens: readonly { readonly token: string; readonly about: string }[];
  readonly people: readonly GuideEntry[];
  readonly employers: readonly GuideEntry[];
  readonly failures: readonly GuideEntry[];
  readonly credentials: readonly GuideCredential[];
  /** A dataset for a batch, as CSV. */
  readonly peopleCsv: string;
}

/** Somebody or something to ask about, with the identifiers to ask by. */
export interface GuideEntry {
  readonly title: string;
  readonly about: string;
  readonly identifiers: readonly { readonly name: string; readonly value: string }[];
}

/** Ready files for the check of a signature; invented, so nothing is given away. */
export interface GuideCredential {
  readonly name: string;
  readonly rfc: string;
  readonly password: string;
  readonly certificate: string;
  readonly privateKey: string;
}
