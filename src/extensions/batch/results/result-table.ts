import { isObject } from '../../../identifiers/json-value';
import { type Language, say } from '../../../identifiers/text';
import { createLocalTime } from '../../../money/ledger/reading/csv-export';
import { inLanguage } from '../../../registry/answer/problem';
import type { BatchHeader } from '../batch';
import type { AnswerColumn, AnswerKind } from '../operation';
import type { BatchRow } from '../storage/row-store';
import { type TableWords, tableWords } from './table-words';

interface InputColumn {
  readonly name: string;
  readonly isTyped: boolean;
  /** Path of the variable with the values as padron read them. Null if padron read them all as they are in the file. */
  readonly readPath: readonly string[] | null;
}

export function toInputColumns(header: BatchHeader): readonly InputColumn[] {
  const { columns, inputColumns, typedColumns, repairedColumns } = header;
  return inputColumns.map((name, position) => {
    const variable = repairedColumns.includes(name) ? columns.find((column) => column.name === name)?.variable : null;
    return { name, isTyped: typedColumns.includes(position), readPath: variable?.split('.') ?? null };
  });
}

function inputCells({ cells }: BatchRow, columns: readonly string[]): readonly (string | null)[] {
  return columns.map((_column, index) => (index < cells.length ? (cells[index] ?? null) : ''));
}

/** Returns the cells of a row by column. A column without a name gets its position as its name. */
export function inputObject(row: BatchRow, columns: readonly string[]): Readonly<Record<string, string | null>> {
  const cells = inputCells(row, columns);
  const named = columns.map((name, index) => name || (uniqueNames([`column ${index + 1}`], columns)[0] ?? ''));
  return Object.fromEntries(named.map((name, index) => [name, cells[index] ?? null]));
}

/** Adds a number to every name that is already taken. Case is ignored, as spreadsheets do. */
function uniqueNames(names: readonly string[], alreadyTaken: readonly string[]): readonly string[] {
  const taken = new Set(alreadyTaken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${name} (${count})`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

export type Cell = string | number | boolean | null;

const separators = ['; ', ', '] as const;

/**
 * Returns the value at a path of an answer, in words if there are any. Values of a list are joined. A record of a list without a value has an empty place,
 * so that the values of one record have the same place in all columns. A list without any value is an empty cell.
 */
function readAnswer(data: unknown, path: readonly string[], translate: (value: Cell) => Cell): Cell {
  const value = valueAt(data, path, 0);
  return Array.isArray(value) ? join(value, 0, translate) || null : translate(toCell(value));
}

function valueAt(value: unknown, path: readonly string[], depth: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => valueAt(item, path, depth));
  const name = path[depth];
  if (name === undefined) return value ?? null;
  return isObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], path, depth + 1) : null;
}

function join(values: readonly unknown[], level: number, translate: (value: Cell) => Cell): string {
  const texts = values.map((value) =>
    Array.isArray(value) ? join(value, level + 1, translate) : String(translate(toCell(value)) ?? ''),
  );
  return texts.every((text) => text === '') ? '' : texts.join(separators[level] ?? separators[1]);
}

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value);
}

/** A column of the table. A column of the kind `input` has the text of the dataset, unchanged. In a `typed` one, numbers and dates are such values. */
export interface TableColumn {
  readonly header: string;
  readonly kind: AnswerKind | 'input' | 'typed';
}

/**
 * The table of a batch: the columns of the dataset, then those of padron, then the answers. The columns do not depend on the
 * answers. Words are in the language of the batch.
 */
export class ResultTable {
  readonly columns: readonly TableColumn[];
  readonly words: TableWords;
  private readonly inputNames: readonly string[];
  private readonly localTime: (moment: Date) => string;

  constructor(
    private readonly language: Language,
    private readonly inputColumns: readonly InputColumn[],
    private readonly answers: readonly AnswerColumn[],
    timeZone: string,
  ) {
    this.localTime = createLocalTime(timeZone);
    this.inputNames = inputColumns.map(({ name }) => name);
    this.words = tableWords[language];
    const added = [...ownColumns(this.words, inputColumns), ...answers];
    const headers = uniqueNames(
      added.map(({ header }) => header),
      this.inputNames,
    );
    this.columns = [
      ...inputColumns.map(({ name, isTyped }) => ({
        header: name,
        kind: isTyped ? ('typed' as const) : ('input' as const),
      })),
      ...added.map(({ kind }, index) => ({ header: headers[index] ?? '', kind })),
    ];
  }

  toCells(row: BatchRow): readonly Cell[] {
    const { data = null } = row.result ?? {};
    return [
      ...inputCells(row, this.inputNames),
      ...this.ownCells(row),
      ...this.answers.map((column) => readAnswer(data, column.path, (value) => this.translate(value, column, row))),
    ];
  }

  private ownCells({ state, doubtful, units, uncertain, line, remarks, result, variables }: BatchRow): readonly Cell[] {
    const { problems = [], errors = [] } = result ?? {};
    const remarkText = joinTexts(remarks.map((remark) => say(remark, this.language)));
    const messages = problems.map((problem) => inLanguage(problem, this.language).message);
    const problemText = joinTexts([
      ...messages,
      ...errors.map(({ message, path = [] }) => this.words.error(message, path.join('.'))),
    ]);
    const isRefused = state === 'REFUSED';
    return [
      doubtful ? this.words.doubtful : this.words.states[state],
      isRefused ? remarkText : problemText,
      joinTexts(problems.map(({ code }) => code)),
      isRefused ? '' : remarkText,
      ...this.inputColumns.flatMap(({ readPath }) =>
        readPath === null ? [] : readAnswer(variables, readPath, (value) => this.inWords(value)),
      ),
      line,
      units,
      uncertain,
    ];
  }

  private translate(value: Cell, { kind, words = {} }: AnswerColumn, { result }: BatchRow): Cell {
    if (typeof value !== 'string') return this.inWords(value);
    if (kind === 'enum') return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
    if (kind === 'time' || kind === 'times') return this.toLocalTime(value);
    if (kind !== 'message') return value;
    const problem = result?.problems.find(({ message, spanish }) => message === value || spanish === value);
    return problem === undefined ? value : inLanguage(problem, this.language).message;
  }

  /** Returns a boolean in words. Spreadsheets show a boolean differently, some as 0 or 1. */
  private inWords(value: Cell): Cell {
    const { yes, no } = this.words;
    return typeof value === 'boolean' ? (value ? yes : no) : value;
  }

  /** Returns a moment in the time zone, to the second. A time without a zone is as the registry printed it. */
  private toLocalTime(text: string): string {
    const moment = text.endsWith('Z') ? new Date(text) : null;
    const local = moment === null || Number.isNaN(moment.getTime()) ? text : this.localTime(moment).slice(0, 19);
    return local.replace('T', ' ');
  }
}

function ownColumns(
  words: TableWords,
  inputColumns: readonly InputColumn[],
): readonly { readonly header: string; readonly kind: AnswerKind }[] {
  const asRead = inputColumns.filter(({ readPath }) => readPath !== null);
  return [
    { header: words.state, kind: 'text' },
    { header: words.problem, kind: 'text' },
    { header: words.problemCodes, kind: 'text' },
    { header: words.remarks, kind: 'text' },
    ...asRead.map(({ name }) => ({ header: words.asRead(name), kind: 'text' as const })),
    { header: words.line, kind: 'number' },
    { header: words.units, kind: 'number' },
    { header: words.uncertainUnits, kind: 'number' },
  ];
}

const joinTexts = (texts: readonly string[]): string => [...new Set(texts)].join(' ');
