import { Tooltip } from '@graphiql/react';
import { useEffect } from 'react';
import { useActiveTab } from '../active-tab';
import { useCell } from '../cell';
import { openPanel } from '../open-panel';
import { openTab } from '../run';
import { askPrice, isTooDear, type Price, price, priceInWords } from './price';

const pauseMs = 350;

/** The price beneath the Run button, asked anew after each pause in typing. Opens the panel that explains it. */
export function PriceTag() {
  const { id, query, operationName, variables, headers } = useActiveTab();
  const told = useCell(price);
  useEffect(() => {
    openTab.set(id);
    price.set({ kind: 'asking' });
  }, [id]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      askPrice({ id, query, operationName, variables, headers }, stop.signal).then(
        (answer) => stop.signal.aborted || price.set(answer),
        () => undefined,
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, query, operationName, variables, headers]);
  const words = priceInWords(told);
  return (
    <Tooltip label={words}>
      <button
        type="button"
        className={`padron-price${isTooDear(told) ? ' padron-warning' : ''}`}
        aria-label={`Price: ${words}`}
        onClick={() => openPanel('Money')}
      >
        <strong>{figure(told)}</strong>
        <span>{told.kind === 'known' && told.estimate.estimatedUnits === 1 ? 'unit' : 'units'}</span>
      </button>
    </Tooltip>
  );
}

function figure(told: Price): string {
  if (told.kind === 'asking') return '…';
  if (told.kind === 'unknown') return '?';
  const { estimatedUnits, bounded } = told.estimate;
  if (!bounded) return `~${estimatedUnits}`;
  return estimatedUnits === 0 ? '0' : `≤${estimatedUnits}`;
}
