// @ts-check
import { SaxesParser } from 'saxes';
import { WorkbookError } from './limits.mjs';

/** Characters of one text or tag. A cell has at most 32,767. */
const maxCharacters = 5_000_000;

/**
 * An event of an XML file: the name of an element without its prefix, and its attributes if it opens, or a text.
 * @typedef {{ readonly open: string, readonly attributes: Readonly<Record<string, string>> } | { readonly close: string } | { readonly text: string }} XmlEvent
 */

/**
 * Reads an XML file. Entities of a document type are errors, so a text cannot grow by them.
 * @param {AsyncIterable<string> | null} text
 * @returns {AsyncGenerator<readonly XmlEvent[]>}
 */
export async function* readXml(text) {
  if (text === null) return;
  const parser = new SaxesParser();
  /** @type {XmlEvent[]} */
  let events = [];
  let pending = 0;
  parser.on('error', () => {
    throw new WorkbookError('UNREADABLE');
  });
  parser.on('opentag', ({ name, attributes }) => {
    events.push({ open: bareName(name), attributes: /** @type {Record<string, string>} */ (attributes) });
  });
  parser.on('text', (value) => void events.push({ text: value }));
  parser.on('cdata', (value) => void events.push({ text: value }));
  parser.on('closetag', ({ name }) => void events.push({ close: bareName(name) }));
  for await (const chunk of text) {
    parser.write(chunk);
    pending = events.length > 0 ? 0 : pending + chunk.length;
    if (pending > maxCharacters) throw new WorkbookError('TOO_LARGE');
    yield events;
    events = [];
  }
  parser.close();
  yield events;
}

/** @param {string} name */
const bareName = (name) => name.slice(name.indexOf(':') + 1);
