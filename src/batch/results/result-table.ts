import { createLocalTime } from '../../ledger/csv-export';
import { inLanguage } from '../../registry/answer/problem';
import { type Language, say } from '../../text/text';
import type { BatchRow } from '../storage/row-store';
import { type Cell, readAnswer } from './answer-value';
import { type InputColumn, inputCells, uniqueNames } from './input-columns';
import type { AnswerColumn, AnswerKind } from './operation-outline';
import { type TableWords, tableWords } from './table-words';

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

  /** Returns the cells of a row, one per column. */
  toCells(row: BatchRow): readonly Cell[] {
    const { data = null } = row.result ?? {};
    return [
      ...inputCells(row, this.inputNames),
      ...this.ownCells(row),
      ...this.answers.map((column) => readAnswer(data, column.path, (value) => this.translate(value, column, row))),
    ];
  }

  /** Returns the cells of padron's columns. A row is refused for what its remarks say. */
  private ownCells({ number, state, units, uncertain, line, remarks, result, variables }: BatchRow): readonly Cell[] {
    const { problems = [], errors = [] } = result ?? {};
    const remarkText = joinTexts(remarks.map((remark) => say(remark, this.language)));
    const messages = problems.map((problem) => inLanguage(problem, this.language).message);
    const problemText = joinTexts([
      ...messages,
      ...errors.map(({ message, path = [] }) => this.words.error(message, path.join('.'))),
    ]);
    const isRefused = state === 'REFUSED';
    return [
      this.words.states[state],
      isRefused ? remarkText : problemText,
      joinTexts(problems.map(({ code }) => code)),
      isRefused ? '' : remarkText,
      ...this.inputColumns.flatMap(({ readPath }) =>
        readPath === null ? [] : readAnswer(variables, readPath, (value) => this.inWords(value)),
      ),
      line ?? number,
      units,
      uncertain,
    ];
  }

  /** Returns a value of an answer as the table shows it. */
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

/** Joins texts without repetitions. */
const joinTexts = (texts: readonly string[]): string => [...new Set(texts)].join(' ');
