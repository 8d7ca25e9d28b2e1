import { memo, useMemo } from 'react';
import type { GuideEntry } from '../../server/explorer/settings';
import { say } from '../../text/text';
import { fold } from '../language/fold';
import { language, texts } from '../language/texts';
import { CopyButton } from './copy-button';

const words = texts.sandbox;

interface SectionProps {
  readonly title: string;
  readonly entries: readonly GuideEntry[];
  readonly search: string;
  readonly about?: string;
  readonly isOpen?: boolean;
  readonly onFill?: (entry: GuideEntry) => void;
}

/** The entries of one kind that contain every word of the search: in a name, an identifier or a description. */
export const EntrySection = memo(function EntrySection(props: SectionProps) {
  const { title, entries, search, about, isOpen = false, onFill } = props;
  const searchable = useMemo(() => entries.map((entry) => ({ entry, text: fold(JSON.stringify(entry)) })), [entries]);
  const wanted = fold(search).split(/\s+/).filter(Boolean);
  const matching = searchable.filter(({ text }) => wanted.every((word) => text.includes(word)));
  if (matching.length === 0) return null;
  return (
    <details open={search !== '' || isOpen}>
      <summary>
        {title} <span className="padron-quiet">{matching.length}</span>
      </summary>
      {about !== undefined && <p className="padron-quiet">{about}</p>}
      <ul className="padron-list padron-directory">
        {matching.map(({ entry }) => (
          <Entry key={entry.identifiers.map(({ value }) => value).join()} entry={entry} onFill={onFill} />
        ))}
      </ul>
    </details>
  );
});

interface EntryProps {
  readonly entry: GuideEntry;
  readonly onFill: SectionProps['onFill'];
}

const Entry = memo(function Entry({ entry, onFill }: EntryProps) {
  const { title, code, about, identifiers } = entry;
  const name = title ?? say(about, language);
  return (
    <li>
      {onFill === undefined ? (
        <strong>{name}</strong>
      ) : (
        <button type="button" className="padron-chip" onClick={() => onFill(entry)} aria-label={words.fillIn(name)}>
          <strong>{name}</strong>
        </button>
      )}
      {title !== null && <span>{say(about, language)}</span>}
      {code !== null && <code className="padron-quiet">{code}</code>}
      <span className="padron-row">
        {identifiers.map(({ name: kind, value }) => (
          <CopyButton key={value} name={words.identifiers[kind] ?? kind} value={value} />
        ))}
      </span>
    </li>
  );
});
