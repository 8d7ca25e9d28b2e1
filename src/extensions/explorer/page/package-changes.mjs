import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const importFrom = (file, name) => `import { ${name} } from ${JSON.stringify(join(folder, file))};\n`;
const importTexts = importFrom('language/texts', 'texts');

/** Changes of packages for which they have no property. Each has the file, the imports, and texts with their replacements. */
const changes = [
  {
    file: /graphiql-explorer[\\/]dist[\\/]Explorer\.js$/,
    // The file is no ES module.
    imports: `const { texts } = require(${JSON.stringify(join(folder, 'language/texts'))});\n`,
    edits: [
      // The tree of fields has the order of the schema, in which fields that belong together are neighbours.
      [/(Object\.keys\(\w+\))\.sort\(\)|(field\.args)\.sort\(.*\n.*\n\s*\}\)/g, '$1$2'],
      // Its menus have names.
      [/'select',\s*\{/g, "$& 'aria-label': this.props.arg ? this.props.arg.name : texts.operationKind,"],
    ],
  },
  {
    file: /graphiql[\\/]dist[\\/]ui[\\/]sidebar\.js$/,
    imports: importTexts,
    edits: [
      [
        /`\$\{isVisible_0 \? "Hide" : "Show"\} \$\{plugin_0\.title\}`/,
        'texts.togglePanel(plugin_0.title, isVisible_0)',
      ],
      ['className: "graphiql-sidebar"', '$&, role: "navigation", "aria-label": texts.sideBar'],
    ],
  },
  {
    file: /graphiql[\\/]dist[\\/]GraphiQL\.js$/,
    imports: importTexts + importFrom('layout/panel-buttons', 'ClosePanel'),
    edits: [
      ['jsx(Tab.Button, {', '$& role: "tab", "aria-selected": index_1 === activeTabIndex,'],
      ['jsx(Tab.Close, {', '$& "aria-label": texts.closeTab(tab.title),'],
      ['className: "graphiql-sessions"', '$&, role: "main"'],
      [
        'className: "graphiql-plugin"',
        '$&, role: visiblePlugin ? "complementary" : undefined, "aria-label": visiblePlugin?.title',
      ],
      [
        'jsx(PluginContent, {})',
        '[jsx(ClosePanel, { title: visiblePlugin.title }, "close"), jsx(PluginContent, {}, "content")]',
      ],
    ],
  },
  {
    // The button of a tab has its role. The list item may not have it, because it contains two buttons. `TabMenu` has the list of tabs.
    file: /@graphiql[\\/]react[\\/]dist[\\/]components[\\/]tabs[\\/]index\.js$/,
    edits: [[/"aria-selected": isActive,|role: "tab(list)?",/g, '']],
  },
  {
    // Lines wrap, and Tab enters an editor.
    file: /@graphiql[\\/]react[\\/]dist[\\/]utility[\\/]create-editor\.js$/,
    edits: [
      ['lineNumbersMinChars: 2', 'lineNumbersMinChars: 3, wordWrap: "on", wrappingIndent: "indent"'],
      ['tabIndex: -1', 'tabIndex: 0'],
    ],
  },
  {
    // Tab leaves an editor, which would otherwise indent the line. If suggestions are open, Tab still accepts one.
    file: /monaco-editor[\\/]esm[\\/]vs[\\/]editor[\\/]browser[\\/]config[\\/]tabFocus\.js$/,
    edits: [['this._tabFocus = false', 'this._tabFocus = true']],
  },
  {
    // Some colours of the themes are too pale.
    file: /@graphiql[\\/]react[\\/]dist[\\/]constants\.js$/,
    edits: [
      ['foreground: "#908aff"', 'foreground: "#a29dff" }, { token: "comment", foreground: "#9cc78a"'],
      [
        'foreground: "#6c69ce"',
        'foreground: "#5d5ac0" }, { token: "number", foreground: "#06704a" }, { token: "number.json", foreground: "#06704a"',
      ],
    ],
  },
];

/** Applies the changes while esbuild loads the packages. Fails if a text no longer occurs. */
export const packageChanges = {
  name: 'package changes',
  setup(build) {
    for (const { file, imports = '', edits } of changes)
      build.onLoad({ filter: file }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [text, replacement] of edits) {
          const changed = contents.replace(text, replacement);
          if (changed === contents) throw new Error(`${path} has changed: ${text} is missing.`);
          contents = changed;
        }
        return { contents: imports + contents, loader: 'js' };
      });
  },
};
