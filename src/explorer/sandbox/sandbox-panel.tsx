import { useState } from 'react';
import type { GuideEntry, SandboxGuide } from '../../server/explorer/settings';
import { CopyButton } from './copy-button';

/** Who and what can be tried: the sandbox's people, its employers, and the test cards that play failures. */
export function SandboxPanel({ guide }: { readonly guide: SandboxGuide }) {
  const [search, setSearch] = useState('');
  return (
    <div className="padron-panel">
      <h1>Sandbox</h1>
      <p>Everybody here is invented, and nothing costs units of yours. Press an identifier to copy it.</p>
      <input
        type="search"
        placeholder="Search, for example rate-limited"
        aria-label="Search the sandbox"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Section title="People" entries={guide.people} search={search} />
      <Section title="Employers" entries={guide.employers} search={search} />
      <Section
        title="Tokens"
        entries={guide.tokens.map(toTokenEntry)}
        search={search}
        about="For the header authorization."
      />
      <Section
        title="Test cards"
        entries={guide.failures}
        search={search}
        about="Asked by one of these, the service fails."
      />
    </div>
  );
}

function toTokenEntry({ token, about }: SandboxGuide['tokens'][number]): GuideEntry {
  return { title: about, about: '', identifiers: [{ name: 'token', value: token }] };
}

interface SectionProps {
  readonly title: string;
  readonly entries: readonly GuideEntry[];
  readonly search: string;
  readonly about?: string;
}

function Section({ title, entries, search, about }: SectionProps) {
  const matching = entries.filter((entry) => JSON.stringify(entry).toLowerCase().includes(search.trim().toLowerCase()));
  if (matching.length === 0) return null;
  return (
    <details open={search !== '' || title === 'Test cards'}>
      <summary>
        {title} <span className="padron-quiet">{matching.length}</span>
      </summary>
      {about !== undefined && <p className="padron-quiet">{about}</p>}
      <ul className="padron-list">
        {matching.map((entry) => (
          <li key={entry.title + entry.identifiers[0]?.value}>
            <strong>{entry.title}</strong>
            <span>{entry.about}</span>
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
