import { useGraphiQL, useMonaco } from '@graphiql/react';
import { useEffect } from 'react';

/** Names of the themes of the editors. Colours of GraphiQL's themes are too pale, and cannot be changed one by one. */
export const editorTheme = { light: 'padron-light', dark: 'padron-dark' } as const;

interface Colours {
  readonly base: 'vs' | 'vs-dark';
  readonly background: string;
  readonly accent: string;
  readonly tokens: Readonly<Record<string, string>>;
}

const colours: Readonly<Record<'light' | 'dark', Colours>> = {
  light: {
    base: 'vs',
    background: '#ffffff',
    accent: '#d60590',
    tokens: { 'argument.identifier.gql': '#5d5ac0', number: '#06704a', 'number.json': '#06704a' },
  },
  dark: {
    base: 'vs-dark',
    background: '#212a3b',
    accent: '#ff5794',
    tokens: { 'argument.identifier.gql': '#a29dff', comment: '#9cc78a' },
  },
};

/** Defines the themes when the editor has been loaded, and shows one, because GraphiQL may have tried to show it before. */
export function EditorTheme(): null {
  const monaco = useMonaco((state) => state.monaco);
  const shown = useGraphiQL(({ monacoTheme }) => monacoTheme);
  useEffect(() => {
    if (monaco === undefined) return;
    monaco.editor.defineTheme(editorTheme.light, toTheme(colours.light));
    monaco.editor.defineTheme(editorTheme.dark, toTheme(colours.dark));
    if (shown !== undefined) monaco.editor.setTheme(shown);
  }, [monaco, shown]);
  return null;
}

function toTheme({ base, background, accent, tokens }: Colours) {
  const selected = `${accent}19`;
  return {
    base,
    inherit: true,
    rules: Object.entries(tokens).map(([token, foreground]) => ({ token, foreground })),
    colors: {
      'editor.background': '#ffffff00',
      'scrollbar.shadow': '#ffffff00',
      'editorHoverWidget.background': background,
      'editorWidget.background': background,
      'editorSuggestWidget.background': background,
      'editorSuggestWidget.selectedBackground': selected,
      'editorSuggestWidget.selectedForeground': accent,
      'quickInput.background': background,
      'quickInputList.focusBackground': selected,
      'menu.background': background,
      'menu.selectionBackground': selected,
      'menu.selectionForeground': accent,
      'list.hoverBackground': selected,
      'list.highlightForeground': accent,
      'textLink.foreground': accent,
      focusBorder: accent,
    },
  };
}
