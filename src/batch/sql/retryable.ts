import { changeFunctions } from './change-functions';
import { rowFunctions } from './row-functions';

/**
 * Adds the number of failed rows that may succeed if they are retried, and the time until which a batch waits for its rows. A
 * process of the previous version sends neither. Its failed rows then count as retryable, and its batches wait for an hour.
 */
export const retryable = `
ALTER TABLE batch ADD COLUMN retryable integer NOT NULL DEFAULT 0,
  ADD COLUMN waits_until timestamptz NOT NULL DEFAULT now() + interval '1 hour';
ALTER TABLE batch_row ADD COLUMN retryable boolean;
UPDATE batch SET retryable = failed WHERE failed > 0 AND state <> 'ERASED';
${[rowFunctions, changeFunctions].join('\n').replaceAll('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')}
`;
