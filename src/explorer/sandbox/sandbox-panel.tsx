import { useGraphiQL } from '@graphiql/react';
import { useState } from 'react';
import type { GuideEntry, GuideText, SandboxGuide } from '../../server/explorer/settings';
import { isSpanish, texts } from '../language/texts';
import { useActiveTab } from '../tabs/active-tab';
import { CopyButton } from './copy-button';
import { fillVariables } from './fill-variables';

const words = texts.sandbox;

/** The Sandbox panel: people, employers, tokens, and test cards that simulate failures. */
export function SandboxPanel({ guide }: { readonly guide: SandboxGuide }) {
  const [search, setSearch] = useState('');
  const [message, setMessage] = useState('');
  const tab = useActiveTab();
  const editor = useGraphiQL(({ variableEditor }) => variableEditor);
  const fill = ({ identifiers }: GuideEntry): void => {
    const filled = fillVariables(tab, identifiers);
    if (filled.variables !== null) editor?.setValue(filled.variables);
    setMessage(filled.message);
  };
  return (
    <div className="padron-panel">
      <h1>{texts.panels.sandbox}</h1>
      <p>
        {words.intro} {words.howTo}
      </p>
      <input
        type="search"
        placeholder={words.searchExample}
        aria-label={words.search}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <p role="status" className="padron-message">
        {message}
      </p>
      <Section title={words.people} entries={guide.people} search={search} onFill={fill} isOpen />
      <Section title={words.employers} entries={guide.employers} search={search} onFill={fill} />
      <Section
        title={words.tokens}
        entries={guide.tokens.map(toTokenEntry)}
        search={search}
        about={words.tokensAbout}
      />
      <Section
        title={words.cards}
        entries={guide.failures}
        search={search}
        about={words.cardsAbout}
        onFill={fill}
        isOpen
      />
    </div>
  );
}

const inLanguage = ({ english, spanish }: GuideText): string => (isSpanish ? spanish : english);

function toTokenEntry({ token, about }: SandboxGuide['tokens'][number]): GuideEntry {
  return {
    title: inLanguage(about),
    about: { english: '', spanish: '' },
    identifiers: [{ name: 'token', value: token }],
  };
}

interface SectionProps {
  readonly title: string;
  readonly entries: readonly GuideEntry[];
  readonly search: string;
  readonly about?: string;
  readonly isOpen?: boolean;
  readonly onFill?: (entry: GuideEntry) => void;
}

function Section({ title, entries, search, about, isOpen = false, onFill }: SectionProps) {
  const matching = entries.filter((entry) => JSON.stringify(entry).toLowerCase().includes(search.trim().toLowerCase()));
  if (matching.length === 0) return null;
  return (
    <details open={search !== '' || isOpen}>
      <summary>
        {title} <span className="padron-quiet">{matching.length}</span>
      </summary>
      {about !== undefined && <p className="padron-quiet">{about}</p>}
      <ul className="padron-list">
        {matching.map((entry) => (
          <li key={entry.title + entry.identifiers[0]?.value}>
            {onFill === undefined ? (
              <strong>{entry.title}</strong>
            ) : (
              <button
                type="button"
                className="padron-chip"
                onClick={() => onFill(entry)}
                aria-label={words.fillIn(entry.title)}
              >
                <strong>{entry.title}</strong>
              </button>
            )}
            <span>{inLanguage(entry.about)}</span>
            <span className="padron-row">
              {entry.identifiers.map(({ name, value }) => (
                <CopyButton key={name} name={name} value={value} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
