import { explorerPlugin } from '@graphiql/plugin-explorer';
import type { GraphiQLPlugin } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useState } from 'react';
import type { ExplorerSettings } from '../server/explorer-settings';
import { firstTabs, keepDocuments } from './documents';
import { makeFetcher } from './fetcher';
import { attachInvented } from './files/attachments';
import { FilesPanel } from './files/files-panel';
import { FilesIcon, MoneyIcon, SandboxIcon } from './icons';
import { MoneyPanel } from './money/money-panel';
import { PriceTag } from './money/price-tag';
import { Summary } from './money/summary';
import { SandboxPanel } from './sandbox/sandbox-panel';
import { makeStorage } from './storage';
import { TabInView } from './tab-in-view';

/** GraphiQL, made for this graph: its examples as tabs, money and files in sight, the sandbox's people at hand. */
export function Explorer({ settings }: { readonly settings: ExplorerSettings }) {
  // Once: GraphiQL starts anew when one of these changes.
  const [fetcher] = useState(makeFetcher);
  const [storage] = useState(makeStorage);
  const [plugins] = useState(() => pluginsFor(settings));
  const [tabs] = useState(() => firstTabs(settings));
  const [first] = tabs;
  return (
    <GraphiQL
      fetcher={fetcher}
      storage={storage}
      plugins={plugins}
      defaultTabs={[...tabs]}
      defaultHeaders={settings.headers}
      defaultQuery=""
      initialVariables={first?.variables ?? ''}
      initialHeaders={first?.headers ?? settings.headers}
      shouldPersistHeaders={false}
      onTabChange={(state) =>
        keepDocuments(
          state.tabs.map(({ query }) => query ?? ''),
          settings,
        )
      }
      defaultEditorToolsVisibility="variables"
      customScalarSchemas={{ JSON: {}, Upload: { type: 'null' } }}
    >
      <GraphiQL.Logo>
        <span className="padron-name">padron</span>
      </GraphiQL.Logo>
      <GraphiQL.Toolbar>
        {({ prettify, merge, copy }) => (
          <>
            <TabInView />
            <PriceTag />
            {prettify}
            {merge}
            {copy}
          </>
        )}
      </GraphiQL.Toolbar>
      <GraphiQL.Footer>
        <Summary />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}

function pluginsFor({ sandbox }: ExplorerSettings): GraphiQLPlugin[] {
  const credentials = sandbox?.credentials ?? [];
  const own = credentials.find(({ name }) => name === 'person');
  if (own !== undefined) attachInvented(own);
  const common: GraphiQLPlugin[] = [
    explorerPlugin({ showAttribution: false }),
    { title: 'Money', icon: MoneyIcon, content: MoneyPanel },
    { title: 'Files', icon: FilesIcon, content: () => <FilesPanel credentials={credentials} /> },
  ];
  if (sandbox === null) return common;
  return [...common, { title: 'Sandbox', icon: SandboxIcon, content: () => <SandboxPanel guide={sandbox} /> }];
}
