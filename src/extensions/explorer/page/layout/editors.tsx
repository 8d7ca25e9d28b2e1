import { type MonacoEditor, pick, useGraphiQL, useMonaco } from '@graphiql/react';
import { useEffect } from 'react';

type Theme = 'dark' | 'light';

/** Colours of GraphiQL's themes. Those of the rules are darker or lighter than its own, which are too pale to read. */
const themes = {
  dark: {
    base: 'vs-dark',
    background: '#212a3b',
    primary: '#ff5794',
    rules: { 'argument.identifier.gql': '#a29dff', comment: '#9cc78a' },
  },
  light: {
    base: 'vs',
    background: '#ffffff',
    primary: '#d60590',
    rules: { 'argument.identifier.gql': '#5d5ac0', number: '#06704a', 'number.json': '#06704a' },
  },
} as const;

/** Defines the themes that GraphiQL chooses by the names in its property `editorTheme`. */
function makeTheme(name: Theme) {
  const { base, background, primary, rules } = themes[name];
  const widgets = ['editorWidget', 'editorHoverWidget', 'editorSuggestWidget', 'menu'];
  const highlights = [
    'textLink.foreground',
    'focusBorder',
    'list.highlightForeground',
    'list.focusHighlightForeground',
  ];
  return {
    base,
    inherit: true,
    rules: Object.entries(rules).map(([token, foreground]) => ({ token, foreground })),
    colors: {
      'editor.background': '#ffffff00',
      'scrollbar.shadow': '#ffffff00',
      'editorSuggestWidget.selectedBackground': `${primary}19`,
      'list.hoverBackground': `${primary}19`,
      ...Object.fromEntries(widgets.map((widget) => [`${widget}.background`, background])),
      ...Object.fromEntries(highlights.map((highlight) => [highlight, primary])),
    },
  };
}

/** Sets up the editors: readable colours, lines that wrap, and Tab, which leaves an editor instead of indenting the line. */
export function Editors(): null {
  const monaco = useMonaco((state) => state.monaco);
  const editors = useGraphiQL(pick('queryEditor', 'variableEditor', 'headerEditor', 'responseEditor'));
  useEffect(() => {
    if (monaco === undefined) return;
    monaco.editor.defineTheme('graphiql-DARK', makeTheme('dark'));
    monaco.editor.defineTheme('graphiql-LIGHT', makeTheme('light'));
    const { KeyCode, KeyMod } = monaco;
    // While suggestions are open, Tab still accepts one.
    const leave = { command: null, when: 'editorTextFocus && !suggestWidgetVisible' };
    const rules = [KeyCode.Tab, KeyMod.Shift | KeyCode.Tab].map((keybinding) => ({ keybinding, ...leave }));
    const registration = monaco.editor.addKeybindingRules(rules);
    return () => registration.dispose();
  }, [monaco]);
  useEffect(() => {
    for (const editor of Object.values<MonacoEditor | undefined>(editors))
      editor?.updateOptions({ wordWrap: 'on', wrappingIndent: 'indent', tabIndex: 0 });
  }, [editors]);
  return null;
}
