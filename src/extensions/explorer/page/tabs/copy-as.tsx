import { ToolbarButton, ToolbarMenu } from '@graphiql/react';
import { useEffect, useState } from 'react';
import type { SandboxGuide } from '../../../../../schema/explorer-settings';
import { CodeIcon } from '../icons';
import { texts } from '../language/texts';
import { type ActiveTab, findOperation, parseObject, useActiveTab } from './active-tab';
import { withoutComment } from './documents';
import { createOperationLink } from './operation-link';
import {
  type CodeRequest,
  findPublicValues,
  type PublicValues,
  toCurl,
  toFetch,
  toHook,
  toUrqlHook,
  withoutSecretHeader,
  withoutSecretLiterals,
  withoutSecretValues,
} from './request-code';

const feedbackMs = 4_000;
const forms = { curl: toCurl, fetch: toFetch, hook: toHook, urql: toUrqlHook } as const;
type Form = keyof typeof forms;

/** Copies the open operation as code. Tokens and passwords are replaced by placeholders unless they belong to the sandbox. */
export function CopyAs({ sandbox }: { readonly sandbox: SandboxGuide | null }) {
  const tab = useActiveTab();
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message === '') return;
    const timer = setTimeout(() => setMessage(''), feedbackMs);
    return () => clearTimeout(timer);
  }, [message]);
  const write = (text: string, done: string): void => {
    navigator.clipboard.writeText(text).then(
      () => setMessage(done),
      () => setMessage(texts.notCopiedAs),
    );
  };
  const copy = (form: Form): void => {
    const request = toCodeRequest(tab, findPublicValues(sandbox));
    const code = forms[form](request);
    const hasPlaces = request.headers.some(({ secret }) => secret !== null) || /<(password|base64)>/.test(code);
    const copied = hasPlaces && form !== 'hook' && form !== 'urql' ? texts.copiedWithoutToken : texts.copiedAs;
    write(code, copied(texts.forms[form]));
  };
  const copyLink = (): void => {
    const link = createOperationLink(tab.query);
    if (link === null) setMessage(texts.price.unparsed);
    else write(link, texts.linkCopied);
  };
  return (
    <>
      <ToolbarMenu
        button={
          <ToolbarButton label={`${texts.copyAs}…`}>
            <CodeIcon />
          </ToolbarButton>
        }
      >
        {(Object.keys(forms) as Form[]).map((form) => (
          <ToolbarMenu.Item key={form} className="graphiql-dropdown-item" onSelect={() => copy(form)}>
            {`${texts.copyAs} ${texts.forms[form]}`}
          </ToolbarMenu.Item>
        ))}
        <ToolbarMenu.Item className="graphiql-dropdown-item" onSelect={copyLink}>
          {texts.copyLink}
        </ToolbarMenu.Item>
      </ToolbarMenu>
      <output className="padron-toast">{message}</output>
    </>
  );
}

function toCodeRequest(tab: ActiveTab, publicValues: PublicValues): CodeRequest {
  const operation = findOperation(tab.query, tab.operationName);
  const headers = Object.entries(tab.headers ?? {});
  return {
    url: `${location.origin}${location.pathname}`,
    query: withoutSecretLiterals(withoutComment(tab.query)).trim(),
    operationName: operation?.name?.value,
    kind: operation?.operation ?? 'query',
    variables: withoutSecretValues(parseObject(tab.variables) ?? {}, publicValues),
    headers: headers.map((header) => withoutSecretHeader(header, publicValues)),
  };
}
