import { Tooltip } from '@graphiql/react';
import type { ComponentType } from 'react';
import { AgeIcon, ClockIcon } from '../icons';
import { texts } from '../language/texts';
import { createStore, useStore } from '../store';
import type { Headers } from './request';

const waits = ['', '1s', '2s', '5s', '10s'] as const;
const ageDays = [1, 7, 30, 90, 365];

/** The time by which operations are answered, as the header has it. '' waits for every answer. */
const answerWithin = createStore<string>('');
/** The age of paid answers that operations use again, as the header has it. '' uses none again. */
export const maxAge = createStore<string>('');
const stores = { 'x-answer-within': answerWithin, 'x-max-age': maxAge };

interface ChoiceProps {
  readonly header: keyof typeof stores;
  readonly Icon: ComponentType;
  readonly words: { readonly label: string; readonly about: string };
  readonly choices: readonly string[];
  readonly format: (choice: string) => string;
}

function HeaderChoice({ header, Icon, words, choices, format }: ChoiceProps) {
  return (
    <Tooltip label={words.about}>
      <label className="padron-within">
        <Icon />
        <select
          aria-label={words.label}
          value={useStore(stores[header])}
          onChange={({ target }) => stores[header].set(target.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {format(choice)}
            </option>
          ))}
        </select>
      </label>
    </Tooltip>
  );
}

/** Lets the user choose by when a response is shown. What arrives later is filled in. */
export function AnswerWithin() {
  const format = (choice: string): string => (choice === '' ? texts.answerWithin.all : `${parseInt(choice, 10)} s`);
  const words = texts.answerWithin;
  return <HeaderChoice header="x-answer-within" Icon={ClockIcon} words={words} choices={waits} format={format} />;
}

/** Lets the user choose how old an answer may be that the account has paid for. `0s` asks again and pays. */
export function MaxAge({ reuseDays }: { readonly reuseDays: number }) {
  const days = [...ageDays.filter((age) => age < reuseDays), reuseDays];
  const choices = ['', '0s', ...days.map((age) => `${age}d`)];
  const format = (choice: string): string => texts.maxAge.choices[choice] ?? choice.replace('d', ' d');
  const words = { label: texts.maxAge.label, about: texts.maxAge.about(reuseDays) };
  return <HeaderChoice header="x-max-age" Icon={AgeIcon} words={words} choices={choices} format={format} />;
}

/** Adds the chosen values to the headers, unless they have them. */
export function withRunHeaders(headers: Headers): Headers {
  const ownNames = Object.keys(headers).map((name) => name.toLowerCase());
  const chosen = Object.entries(stores).map(([name, store]) => [name, store.get()] as const);
  const added = chosen.filter(([name, value]) => value !== '' && !ownNames.includes(name));
  return { ...headers, ...Object.fromEntries(added) };
}
