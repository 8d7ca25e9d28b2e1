import type { SealedLinks } from '../store/sealed-links';
import type { BatchLinks } from './batches';

/** Lifetime of a link. People may need time to prepare an upload, while a download starts at once. */
const lifetimeMs = {
  rows: 3_600_000,
  'results.jsonl': 600_000,
  'results.csv': 600_000,
  'results.xlsx': 600_000,
} as const;

/** The one file that a link gives access to. */
export type LinkPurpose = keyof typeof lifetimeMs;

const placeOf = (batch: string, purpose: LinkPurpose): string => `batch ${batch} ${purpose}`;

/** Returns new links to a batch. */
export function createBatchLinks(links: SealedLinks, batch: string, origin: string): BatchLinks {
  const link = (purpose: LinkPurpose): string => `${origin}${batchPath(links, batch, purpose)}`;
  return {
    upload: link('rows'),
    jsonl: link('results.jsonl'),
    csv: link('results.csv'),
    xlsx: link('results.xlsx'),
  };
}

/** Returns the path and query of a link to a batch. */
function batchPath(links: SealedLinks, batch: string, purpose: LinkPurpose): string {
  return `/batches/${batch}/${purpose}?link=${links.create(placeOf(batch, purpose), lifetimeMs[purpose])}`;
}

/** Whether a link is valid now, for this batch and this purpose. */
export function opensBatch(links: SealedLinks, batch: string, purpose: LinkPurpose, link: unknown): boolean {
  return links.open(placeOf(batch, purpose), link) !== null;
}
