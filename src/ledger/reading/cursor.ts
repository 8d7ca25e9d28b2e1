import { InvalidCursorError } from './port';

/** A place in the entries, newest first: after the entry with this time and id. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

export function toCursor({ at, id }: Place): string {
  return Buffer.from(`${at.getTime().toString(36)} ${id}`).toString('base64url');
}

export function readCursor(cursor: string): Place {
  const text = Buffer.from(cursor.slice(0, 200), 'base64url').toString();
  const [, time = '', id = ''] = /^([0-9a-z]{1,9}) ([\w-]{1,64})$/.exec(text) ?? [];
  const place = { at: new Date(Number.parseInt(time, 36)), id };
  if (id === '' || Number.isNaN(place.at.getTime()) || toCursor(place) !== cursor) throw new InvalidCursorError();
  return place;
}
