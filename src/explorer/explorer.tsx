import { explorerPlugin } from '@graphiql/plugin-explorer';
import type { GraphiQLPlugin } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useState } from 'react';
import type { ExplorerSettings } from '../server/explorer/settings';
import { EditorAccess } from './access/editor-access';
import { PersistenceNote } from './access/persistence-note';
import { SchemaLoader } from './access/schema-loader';
import { ServiceBadge } from './access/service-badge';
import { SkipLink } from './access/skip-link';
import { TokenField } from './access/token-field';
import { BatchPanel } from './batch/batch-panel';
import { CopyAs } from './copy/copy-as';
import { FieldPrices } from './field-prices/field-prices';
import { attachTestCredential } from './files/attachments';
import { FilesPanel } from './files/files-panel';
import { GlossaryPanel } from './glossary/glossary-panel';
import { BatchIcon, FilesIcon, GlossaryIcon, MoneyIcon, SandboxIcon } from './icons';
import { LanguageSwitch } from './language/language-switch';
import { texts } from './language/texts';
import { ClosePanel } from './layout/close-panel';
import { EditorTheme, editorTheme } from './layout/editor-theme';
import { GraphiqlRoles } from './layout/graphiql-roles';
import { MoneyPanel } from './money/money-panel';
import { PriceTag } from './money/price-tag';
import { Summary } from './money/summary';
import { AnswerWithin } from './requests/answer-within';
import { createFetcher } from './requests/fetcher';
import { SandboxPanel } from './sandbox/sandbox-panel';
import { createStorage } from './storage';
import { getInitialTabs, saveDocuments } from './tabs/documents';
import { LinkedOperation } from './tabs/linked-operation';
import { takeLinkedOperation } from './tabs/operation-link';
import { TabInView } from './tabs/tab-in-view';
import { TabMenu } from './tabs/tab-menu';

/** GraphiQL with examples as tabs and panels for money, batches, files, the sandbox and the glossary. */
export function Explorer({ settings }: { readonly settings: ExplorerSettings }) {
  // These are created once, because GraphiQL restarts when one of them changes.
  const [fetcher] = useState(() => createFetcher(settings));
  const [storage] = useState(createStorage);
  const [plugins] = useState(() => makePlugins(settings));
  const [tabs] = useState(() => getInitialTabs(settings, takeLinkedOperation()));
  const [firstTab] = tabs;
  return (
    <>
      <SkipLink />
      <GraphiQL
        fetcher={fetcher}
        storage={storage}
        plugins={plugins}
        editorTheme={editorTheme}
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
              <TabInView />
              <EditorAccess />
              <EditorTheme />
              <SchemaLoader />
              <GraphiqlRoles />
              <ClosePanel />
              <FieldPrices />
              <PriceTag />
              <AnswerWithin />
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
    </>
  );
}

function makePlugins({ sandbox, timeZone }: ExplorerSettings): GraphiQLPlugin[] {
  const credentials = sandbox?.credentials ?? [];
  const personCredential = credentials.find(({ name }) => name === 'person');
  if (personCredential !== undefined) attachTestCredential(personCredential);
  const common: GraphiQLPlugin[] = [
    explorerPlugin({ showAttribution: false }),
    { title: texts.panels.money, icon: MoneyIcon, content: () => <MoneyPanel timeZone={timeZone} /> },
    { title: texts.panels.batch, icon: BatchIcon, content: () => <BatchPanel people={sandbox?.peopleCsv ?? null} /> },
    { title: texts.panels.files, icon: FilesIcon, content: () => <FilesPanel credentials={credentials} /> },
    { title: texts.panels.glossary, icon: GlossaryIcon, content: GlossaryPanel },
  ];
  if (sandbox === null) return common;
  return [
    ...common,
    { title: texts.panels.sandbox, icon: SandboxIcon, content: () => <SandboxPanel guide={sandbox} /> },
  ];
}
