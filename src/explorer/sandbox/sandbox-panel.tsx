import { useGraphiQL } from '@graphiql/react';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { GuideEntry, SandboxGuide } from '../../server/explorer/settings';
import { texts } from '../language/texts';
import { type ActiveTab, useActiveTab } from '../tabs/active-tab';
import { EntrySection } from './entry-section';
import { fillVariables } from './fill-variables';

const words = texts.sandbox;

/** The Sandbox panel: people, employers, tokens, and test cards that simulate failures. */
export function SandboxPanel({ guide }: { readonly guide: SandboxGuide }) {
  const [search, setSearch] = useState('');
  // The list of everyone is long, so typing does not wait for it.
  const deferredSearch = useDeferredValue(search);
  const [message, setMessage] = useState('');
  const [tokens] = useState(() => guide.tokens.map(toTokenEntry));
  const tab = useLatestTab();
  const editor = useGraphiQL(({ variableEditor }) => variableEditor);
  const fill = useCallback(
    ({ identifiers }: GuideEntry): void => {
      const filled = fillVariables(tab.current, identifiers);
      if (filled.variables !== null) editor?.setValue(filled.variables);
      setMessage(filled.message);
    },
    [tab, editor],
  );
  const common = { search: deferredSearch, onFill: fill };
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
      <EntrySection {...common} title={words.people} entries={guide.people} isOpen />
      <EntrySection {...common} title={words.employers} entries={guide.employers} />
      <EntrySection search={deferredSearch} title={words.tokens} entries={tokens} about={words.tokensAbout} />
      <EntrySection {...common} title={words.cards} entries={guide.failures} about={words.cardsAbout} isOpen />
    </div>
  );
}

/** Returns the open tab. The panel is not rendered again for each typed character. */
function useLatestTab(): { readonly current: ActiveTab } {
  const tab = useActiveTab();
  const latest = useRef(tab);
  useEffect(() => {
    latest.current = tab;
  }, [tab]);
  return latest;
}

function toTokenEntry({ token, about }: SandboxGuide['tokens'][number]): GuideEntry {
  return { title: null, code: null, about, identifiers: [{ name: 'token', value: token }] };
}
