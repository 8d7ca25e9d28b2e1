import type { ResultFile, ResultFormat } from '../../batch/batch-files';
import type { Language } from '../../text/text';

/** Characters of the name of the batch that are kept, so that file systems accept the name with its endings. */
const maxCharacters = 100;
const datasetEnding = /\.(?:csv|tsv|txt|xlsx|xlsm|jsonl|ndjson)$/i;
/** Matches characters that are invisible, or that a file system does not allow. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const endings: Readonly<Record<Language, { readonly results: string; readonly partial: string }>> = {
  en: { results: 'results', partial: 'partial' },
  es: { results: 'resultados', partial: 'parcial' },
};

/** Returns the name of a file of results: that of the dataset with another ending, such as `people.results.csv`. */
export function nameResults({ name, language, isPartial }: ResultFile, batch: string, format: ResultFormat): string {
  const safe = (name ?? '').replace(datasetEnding, '').replace(unsafe, '-');
  const base = [...safe]
    .slice(0, maxCharacters)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const { results, partial } = endings[language];
  return [base || `batch-${batch}`, results, ...(isPartial ? [partial] : []), format].join('.');
}

/** Returns a `content-disposition` with a name (RFC 6266). A name that is not plain ASCII is encoded by RFC 8187, with a similar name for old clients. */
export function attachment(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[%"\\]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
