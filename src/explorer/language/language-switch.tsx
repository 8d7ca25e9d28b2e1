import { isSpanish, switchLanguage, texts } from './texts';

/** A button that shows the page in the other language. Its label is in that language. */
export function LanguageSwitch() {
  return (
    <button
      type="button"
      className="padron-header-button"
      lang={isSpanish ? 'en' : 'es'}
      title={texts.switchLanguage}
      onClick={switchLanguage}
    >
      {texts.otherLanguage}
    </button>
  );
}
