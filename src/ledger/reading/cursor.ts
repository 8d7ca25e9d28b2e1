import { InvalidCursorError } from './ledger-api';

/** Returns the cursor of a page: the ID of its last entry, encoded so that clients do not rely on its content. */
export function toCursor(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url');
}

export function readCursor(cursor: string): string {
  const text = Buffer.from(cursor.slice(0, 200), 'base64url').toString();
  const [, id = ''] = /^after ([0-9A-Z]{1,64})$/.exec(text) ?? [];
  if (id === '' || toCursor(id) !== cursor) throw new InvalidCursorError();
  return id;
}
