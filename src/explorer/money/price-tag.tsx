import { Tooltip } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';
import { openPanel } from '../open-panel';
import { openTab } from '../requests/run';
import { useStore } from '../store';
import { useActiveTab } from '../tabs/active-tab';
import { fetchPrice, formatPrice, isOverBudget, type Price, priceStore } from './price';

const debounceMs = 350;

/** The price below the Run button, updated after each pause in typing. A click opens the Money panel. */
export function PriceTag() {
  const { id, query, operationName, variables, headers } = useActiveTab();
  const price = useStore(priceStore);
  useEffect(() => {
    openTab.set(id);
    priceStore.set({ kind: 'loading' });
  }, [id]);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      fetchPrice({ id, query, operationName, variables, headers }, controller.signal).then(
        (newPrice) => controller.signal.aborted || priceStore.set(newPrice),
        () => undefined,
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, query, operationName, variables, headers]);
  const words = formatPrice(price);
  const figure = formatFigure(price);
  const unit = texts.unitWord(price.kind === 'known' ? price.estimate.estimatedUnits : 0);
  return (
    <Tooltip label={words}>
      <button
        type="button"
        className={`padron-price${isOverBudget(price) ? ' padron-warning' : ''}`}
        aria-label={`${figure} ${unit}. ${texts.price.label(words)}`}
        onClick={() => openPanel('Money')}
      >
        <strong>{figure}</strong> <span>{unit}</span>
      </button>
    </Tooltip>
  );
}

function formatFigure(price: Price): string {
  if (price.kind === 'loading') return '…';
  if (price.kind === 'unknown') return '?';
  const { estimatedUnits, atMost } = price.estimate;
  if (atMost === null) return `~${estimatedUnits}`;
  return atMost === 0 ? '0' : `≤${atMost}`;
}
