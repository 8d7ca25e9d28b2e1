import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import type { GraphiQLPlugin } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { ExplorerSettings } from '../../../../schema/explorer-settings';
import { attachTestCredential, FilesPanel } from './files/files-panel';
import { GlossaryPanel } from './glossary-panel';
import { FilesIcon, GlossaryIcon, MoneyIcon, SandboxIcon } from './icons';
import { isSpanish, switchLanguage } from './language/language';
import { texts } from './language/texts';
import { Editors } from './layout/editors';
import { framePanel, NamedMenus } from './layout/panels';
import { FieldPrices } from './money/field-prices';
import { MoneyPanel } from './money/money-panel';
import { PriceTag } from './money/price-tag';
import { Summary } from './money/summary';
import type { ExplorerPanel } from './panel';
import { createFetcher } from './requests/fetcher';
import { useLastRun } from './requests/run';
import { AnswerWithin, MaxAge } from './requests/run-headers';
import { SchemaLoader } from './requests/schema';
import { SandboxPanel } from './sandbox-panel';
import { ServiceBadge } from './service-badge';
import { createStorage } from './storage';
import { CopyAs } from './tabs/copy-as';
import { getInitialTabs, saveDocuments } from './tabs/documents';
import { LinkedOperation, takeLinkedOperation } from './tabs/operation-link';
import { TabInView, TabMenu, TabNames } from './tabs/tab-menu';
import { TokenField } from './token';

/** A note, shown until the first response, on what a reload preserves. `needsToken` is true if the user enters a token. */
function PersistenceNote({ needsToken }: { readonly needsToken: boolean }) {
  if (useLastRun() !== null) return null;
  return <p className="padron-footnote">{needsToken ? texts.persistenceWithToken : texts.persistence}</p>;
}

/** The first link that Tab reaches. It skips panels, tabs and editors and leads to the Run button. */
function SkipLink() {
  return (
    <button
      type="button"
      className="padron-skip"
      onClick={() => document.querySelector<HTMLButtonElement>('.graphiql-execute-button')?.focus()}
    >
      {texts.skipToRun}
    </button>
  );
}

/** A button that shows the page in the other language. Its label is in that language. */
function LanguageSwitch() {
  return (
    <button
      type="button"
      className="padron-button"
      lang={isSpanish ? 'en' : 'es'}
      title={texts.switchLanguage}
      onClick={switchLanguage}
    >
      {texts.otherLanguage}
    </button>
  );
}

interface ExplorerProps {
  readonly settings: ExplorerSettings;
  /** Panels that other extensions bring. */
  readonly panels: readonly ExplorerPanel[];
}

export function Explorer({ settings, panels }: ExplorerProps) {
  // These are created once, because GraphiQL restarts when one of them changes.
  const [fetcher] = useState(() => createFetcher(settings));
  const [storage] = useState(createStorage);
  const [plugins] = useState(() => makePlugins(settings, panels));
  const [tabs] = useState(() => getInitialTabs(settings, takeLinkedOperation()));
  const [firstTab] = tabs;
  return (
    <>
      <SkipLink />
      <main className="padron-main">
        <GraphiQL
          fetcher={fetcher}
          storage={storage}
          plugins={plugins}
          referencePlugin={docsPlugin}
          defaultTabs={[...tabs]}
          defaultHeaders={settings.headers}
          defaultQuery=""
          initialVariables={firstTab?.variables ?? ''}
          initialHeaders={firstTab?.headers ?? settings.headers}
          shouldPersistHeaders={false}
          onTabChange={(state) =>
            saveDocuments(
              state.tabs.map(({ query }) => query ?? ''),
              settings,
            )
          }
          defaultEditorToolsVisibility="variables"
          customScalarSchemas={{ JSON: {}, Upload: { type: 'null' } }}
        >
          <GraphiQL.Logo>
            <TabMenu />
            {settings.needsToken && <TokenField />}
            <LanguageSwitch />
            <ServiceBadge />
            <h1 className="padron-name">padron</h1>
          </GraphiQL.Logo>
          <GraphiQL.Toolbar>
            {({ prettify, merge, copy }) => (
              <>
                <DocExplorerStore>{null}</DocExplorerStore>
                <Editors />
                <TabNames />
                <TabInView />
                <SchemaLoader />
                <FieldPrices />
                <PriceTag replaySeconds={settings.replaySeconds} />
                <AnswerWithin />
                {settings.reuseDays > 0 && <MaxAge reuseDays={settings.reuseDays} />}
                {prettify}
                {merge}
                {copy}
                <CopyAs sandbox={settings.sandbox} />
              </>
            )}
          </GraphiQL.Toolbar>
          <GraphiQL.Footer>
            <LinkedOperation />
            <PersistenceNote needsToken={settings.needsToken} />
            <Summary />
          </GraphiQL.Footer>
        </GraphiQL>
      </main>
    </>
  );
}

/** GraphiQL's documentation, of which `DocExplorerStore` keeps the open page. */
const docsPlugin = framePanel({ ...DOC_EXPLORER_PLUGIN, title: texts.panels.docs });

function makePlugins(settings: ExplorerSettings, panels: readonly ExplorerPanel[]): GraphiQLPlugin[] {
  const { sandbox, timeZone } = settings;
  const credentials = sandbox?.credentials ?? [];
  const personCredential = credentials.find(({ name }) => name === 'person');
  if (personCredential !== undefined) attachTestCredential(personCredential);
  const { money, files, glossary } = texts.panels;
  const fields = explorerPlugin({ showAttribution: false });
  return [
    framePanel({ ...fields, title: texts.panels.fields, content: () => <NamedMenus>{<fields.content />}</NamedMenus> }),
    makePanel(money, MoneyIcon, <MoneyPanel timeZone={timeZone} />),
    ...panels.map(({ title, Icon, Content }) => makePanel(title, Icon, <Content settings={settings} />)),
    makePanel(files, FilesIcon, <FilesPanel credentials={credentials} />),
    makePanel(glossary, GlossaryIcon, <GlossaryPanel />),
    ...(sandbox === null ? [] : [makePanel(texts.panels.sandbox, SandboxIcon, <SandboxPanel guide={sandbox} />)]),
  ];
}

function makePanel(title: string, icon: ComponentType, children: ReactNode): GraphiQLPlugin {
  const content = () => (
    <section className="padron-panel" aria-label={title}>
      <h1>{title}</h1>
      {children}
    </section>
  );
  return framePanel({ title, icon, content });
}
