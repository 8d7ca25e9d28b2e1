import { Tooltip } from '@graphiql/react';
import { ClockIcon } from '../icons';
import { texts } from '../language/texts';
import { createStore, useStore } from '../store';
import type { Headers } from './request';

const headerName = 'x-answer-within';
const choices = ['', '1s', '2s', '5s', '10s'] as const;

/** The time by which operations are answered, as the header has it. '' waits for every answer. */
const answerWithin = createStore<string>('');

/** Lets the user choose by when a response is shown. What arrives later is filled in. */
export function AnswerWithin() {
  const chosen = useStore(answerWithin);
  return (
    <Tooltip label={texts.answerWithin.about}>
      <label className="padron-within">
        <ClockIcon />
        <select
          aria-label={texts.answerWithin.label}
          value={chosen}
          onChange={({ target }) => answerWithin.set(target.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === '' ? texts.answerWithin.all : `${parseInt(choice, 10)} s`}
            </option>
          ))}
        </select>
      </label>
    </Tooltip>
  );
}

/** Adds the chosen time to the headers, unless they have one. */
export function withAnswerWithin(headers: Headers): Headers {
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === headerName);
  return answerWithin.get() === '' || isSet ? headers : { ...headers, [headerName]: answerWithin.get() };
}
