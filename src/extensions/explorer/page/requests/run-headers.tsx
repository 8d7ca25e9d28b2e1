import { Tooltip } from '@graphiql/react';
import type { ComponentType } from 'react';
import { AgeIcon, ClockIcon } from '../icons';
import { texts } from '../language/texts';
import { createStore, useStore } from '../store';
import type { Headers } from './request';

const waits = ['1s', '2s', '5s', '10s'];
const ageDays = [1, 7, 30, 90, 365];

/** The time by which operations are answered, as the header has it. '' waits for every answer. */
const answerWithin = createStore<string>('');
/** The age of paid answers that operations use again, as the header has it. '' uses none again. */
export const maxAge = createStore<string>('');
const stores = { 'x-answer-within': answerWithin, 'x-max-age': maxAge };

interface ChoiceProps {
  readonly header: keyof typeof stores;
  readonly Icon: ComponentType;
  readonly words: Readonly<Record<'label' | 'about' | 'none', string>>;
  readonly choices: readonly string[];
}

function HeaderChoice({ header, Icon, words, choices }: ChoiceProps) {
  return (
    <Tooltip label={words.about}>
      <label className="padron-within">
        <Icon />
        <select
          aria-label={words.label}
          value={useStore(stores[header])}
          onChange={({ target }) => stores[header].set(target.value)}
        >
          <option value="">{words.none}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice.replace(/\D/, ' $&')}
            </option>
          ))}
        </select>
      </label>
    </Tooltip>
  );
}

/** Lets the user choose by when a response is shown. What arrives later is filled in. */
export function AnswerWithin() {
  return <HeaderChoice header="x-answer-within" Icon={ClockIcon} words={texts.answerWithin} choices={waits} />;
}

/** Lets the user choose how old an answer may be that the account has paid for. `0s` asks again and pays. */
export function MaxAge({ reuseDays }: { readonly reuseDays: number }) {
  const days = [...ageDays.filter((age) => age < reuseDays), reuseDays];
  const words = { ...texts.maxAge, about: texts.maxAge.about(reuseDays) };
  return (
    <HeaderChoice header="x-max-age" Icon={AgeIcon} words={words} choices={['0s', ...days.map((age) => `${age}d`)]} />
  );
}

/** Adds the chosen values to the headers, unless they have them. */
export function withRunHeaders(headers: Headers): Headers {
  const ownNames = Object.keys(headers).map((name) => name.toLowerCase());
  const chosen = Object.entries(stores).map(([name, store]) => [name, store.get()] as const);
  const added = chosen.filter(([name, value]) => value !== '' && !ownNames.includes(name));
  return { ...headers, ...Object.fromEntries(added) };
}
