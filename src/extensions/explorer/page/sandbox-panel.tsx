import { useGraphiQL } from '@graphiql/react';
import type { OperationDefinitionNode, TypeNode } from 'graphql';
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { GuideEntry, SandboxGuide } from '../../../../schema/explorer-settings';
import { fold, say } from './language/language';
import { texts } from './language/texts';
import { findOperation, parseObject } from './tabs/active-tab';

const identifierOfType: Readonly<Record<string, string>> = {
  NSS: 'nss',
  CURP: 'curp',
  RFC: 'rfc',
  EmployerRegistration: 'registration',
  LicenceNumber: 'number',
  CertificateFolio: 'folio',
};

/** Variables filled with a person's or employer's identifiers, and a message for the user. `variables` is null if nothing was filled in. */
interface FilledVariables {
  readonly variables: string | null;
  readonly message: string;
}

/** Fills in the variables of the open operation whose types match the identifiers. Other variables do not change. */
function fillVariables(
  operation: OperationDefinitionNode | null,
  variables: string,
  identifiers: GuideEntry['identifiers'],
): FilledVariables {
  const values = parseObject(variables);
  if (values === null) return { variables: null, message: texts.price.variablesUnread };
  const definitions = operation?.variableDefinitions ?? [];
  const filled = definitions.flatMap(({ variable, type }) => {
    const identifier = identifiers.find(({ name }) => name === identifierOfType[namedType(type)]);
    return identifier === undefined ? [] : [[variable.name.value, identifier.value] as const];
  });
  if (filled.length === 0) return { variables: null, message: texts.sandbox.noPlace };
  return {
    variables: JSON.stringify({ ...values, ...Object.fromEntries(filled) }, null, 2),
    message: texts.sandbox.filled(filled.map(([name, value]) => `${name} ${value}`)),
  };
}

function namedType(type: TypeNode): string {
  return type.kind === 'NamedType' ? type.name.value : namedType(type.type);
}

const feedbackMs = 1_500;

function CopyButton({ name, value }: { readonly name: string; readonly value: string }) {
  const [feedback, setFeedback] = useState('');
  useEffect(() => {
    if (feedback === '') return;
    const timer = setTimeout(() => setFeedback(''), feedbackMs);
    return () => clearTimeout(timer);
  }, [feedback]);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setFeedback(texts.copied),
      () => setFeedback(texts.notCopied),
    );
  };
  return (
    <button type="button" className="padron-copy" onClick={copy} aria-label={texts.sandbox.copy(name, value)}>
      <span className="padron-quiet">{feedback === '' ? name : feedback}</span> <code>{value}</code>
    </button>
  );
}

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
const EntrySection = memo(function EntrySection(props: SectionProps) {
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
  const description = say(about.english, about.spanish);
  const name = title ?? description;
  return (
    <li>
      {onFill === undefined ? (
        <strong>{name}</strong>
      ) : (
        <button type="button" className="padron-chip" onClick={() => onFill(entry)} aria-label={words.fillIn(name)}>
          <strong>{name}</strong>
        </button>
      )}
      {title !== null && <span>{description}</span>}
      {code !== null && <code className="padron-quiet">{code}</code>}
      <span className="padron-row">
        {identifiers.map(({ name: kind, value }) => (
          <CopyButton key={value} name={words.identifiers[kind] ?? kind} value={value} />
        ))}
      </span>
    </li>
  );
});

export function SandboxPanel({ guide }: { readonly guide: SandboxGuide }) {
  const [search, setSearch] = useState('');
  // The list of everyone is long, so typing does not wait for it.
  const deferredSearch = useDeferredValue(search);
  const [message, setMessage] = useState('');
  const [tokens] = useState(() => guide.tokens.map(toTokenEntry));
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const operationName = useGraphiQL((state) => state.operationName);
  const fill = useCallback(
    ({ identifiers }: GuideEntry): void => {
      // The texts are read on a click, so that the panel is not rendered again for each typed character.
      const operation = findOperation(queryEditor?.getValue() ?? '', operationName);
      const filled = fillVariables(operation, variableEditor?.getValue() ?? '', identifiers);
      if (filled.variables !== null) variableEditor?.setValue(filled.variables);
      setMessage(filled.message);
    },
    [queryEditor, variableEditor, operationName],
  );
  const common = { search: deferredSearch, onFill: fill };
  return (
    <>
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
      <EntrySection {...common} title={words.uncleanPeople} entries={guide.uncleanPeople} isOpen />
      <EntrySection {...common} title={words.people} entries={guide.people} isOpen />
      <EntrySection {...common} title={words.employers} entries={guide.employers} />
      <EntrySection search={deferredSearch} title={words.tokens} entries={tokens} about={words.tokensAbout} />
      <EntrySection {...common} title={words.cards} entries={guide.failures} about={words.cardsAbout} isOpen />
    </>
  );
}

function toTokenEntry({ token, about }: SandboxGuide['tokens'][number]): GuideEntry {
  return { title: null, code: null, about, identifiers: [{ name: 'token', value: token }] };
}
