import { ToolbarButton, ToolbarMenu } from '@graphiql/react';
import { useEffect, useState } from 'react';
import type { SandboxGuide } from '../../server/explorer/settings';
import { CodeIcon } from '../icons';
import { texts } from '../language/texts';
import { type ActiveTab, parseObject, useActiveTab } from '../tabs/active-tab';
import { findOperation } from '../tabs/operation';
import { type CodeRequest, toCurl, toFetch, toHook } from './request-code';
import {
  findPublicValues,
  type PublicValues,
  withoutSecretHeader,
  withoutSecretLiterals,
  withoutSecretValues,
} from './secrets';

const feedbackMs = 4_000;
const forms = { curl: toCurl, fetch: toFetch, hook: toHook } as const;
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
  const copy = (form: Form): void => {
    const request = toCodeRequest(tab, findPublicValues(sandbox));
    const code = forms[form](request);
    const hasPlaces = request.headers.some(({ secret }) => secret !== null) || /<(password|base64)>/.test(code);
    const copied = hasPlaces && form !== 'hook' ? texts.copiedWithoutToken : texts.copiedAs;
    navigator.clipboard.writeText(code).then(
      () => setMessage(copied(texts.forms[form])),
      () => setMessage(texts.notCopiedAs),
    );
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
      </ToolbarMenu>
      <output className="padron-toast">{message}</output>
    </>
  );
}

function toCodeRequest(tab: ActiveTab, publicValues: PublicValues): CodeRequest {
  const operation = findOperation(tab.query, tab.operationName);
  const headers = Object.entries(parseObject(tab.headers) ?? {});
  return {
    url: `${location.origin}${location.pathname}`,
    query: withoutSecretLiterals(tab.query),
    operationName: operation?.name?.value,
    kind: operation?.operation ?? 'query',
    variables: withoutSecretValues(parseObject(tab.variables) ?? {}, publicValues),
    headers: headers.map((header) => withoutSecretHeader(header, publicValues)),
  };
}
