import type { IdentifierKind } from '../../src/extensions/sandbox/protocol/route';
import { cards } from '../../src/extensions/sandbox/test-cards/cards';
import { failures } from '../../src/extensions/sandbox/test-cards/failures';

const columns: readonly (readonly [heading: string, kind: IdentifierKind])[] = [
  ['NSS', 'nss'],
  ['CURP', 'curp'],
  ['licence', 'licence'],
  ['registration', 'registration'],
];

/** The table of test cards in docs/sandbox.md, from the table that the sandbox uses. */
export function cardTable(): string {
  const rows = failures.map(({ name, description }) => {
    const values = columns.map(([, kind]) => cardOf(name, kind));
    return `| ${[`${description}`, ...values].join(' | ')} |`;
  });
  const headings = ['simulates', ...columns.map(([heading]) => heading)];
  return [`| ${headings.join(' | ')} |`, `|${'---|'.repeat(headings.length)}`, ...rows].join('\n');
}

function cardOf(failure: string, kind: IdentifierKind): string {
  const card = cards.find(
    (entry) => entry.failure === failure && entry.identifier === kind && entry.month === undefined,
  );
  return card === undefined ? '' : `\`${card.value}\``;
}
