import type { Outcome } from '../../registry/answer/answer';
import { inLanguage, type Language } from '../../registry/answer/problem';
import type { BatchRow } from '../storage/row-store';
import { type Cell, readAnswer } from './answer-value';
import { inputCells, uniqueNames } from './input-columns';
import type { AnswerColumn, AnswerKind } from './operation-outline';
import { type TableWords, tableWords } from './table-words';

/** A column of the table. A column of the kind `input` has the text of the dataset, unchanged. */
export interface TableColumn {
  readonly header: string;
  readonly kind: AnswerKind | 'input';
}

/**
 * The table of a batch: the columns of the dataset, then those of padron, then the answers. The columns do not depend on the
 * answers. Words are in the language of the batch.
 */
export class ResultTable {
  readonly columns: readonly TableColumn[];
  readonly words: TableWords;

  constructor(
    private readonly language: Language,
    private readonly inputColumns: readonly string[],
    private readonly answers: readonly AnswerColumn[],
  ) {
    this.words = tableWords[language];
    const added = [...ownColumns(this.words), ...answers];
    const headers = uniqueNames(
      added.map(({ header }) => header),
      inputColumns,
    );
    this.columns = [
      ...inputColumns.map((header) => ({ header, kind: 'input' as const })),
      ...added.map(({ kind }, index) => ({ header: headers[index] ?? '', kind })),
    ];
  }

  /** Returns the cells of a row, one per column. */
  toCells(row: BatchRow): readonly Cell[] {
    const { data = null } = row.result ?? {};
    return [
      ...inputCells(row, this.inputColumns),
      ...this.ownCells(row),
      ...this.answers.map(({ path, kind }) =>
        readAnswer(data, path, kind === 'outcome' || kind === 'boolean' ? this.inWords : unchanged),
      ),
    ];
  }

  /** Returns the cells of padron's columns. A row is refused for what its remarks say. */
  private ownCells({ number, state, units, uncertain, line, remarks, result }: BatchRow): readonly Cell[] {
    const { problems = [], errors = [] } = result ?? {};
    const remarkText = joinTexts(remarks.map((remark) => remark[this.language === 'es' ? 'spanish' : 'english']));
    const messages = problems.map((problem) => inLanguage(problem, this.language).message);
    const problemText = joinTexts([...messages, ...errors.map(({ message }) => message)]);
    const isRefused = state === 'REFUSED';
    return [
      this.words.states[state],
      isRefused ? remarkText : problemText,
      joinTexts(problems.map(({ code }) => code)),
      isRefused ? '' : remarkText,
      line ?? number,
      units,
      uncertain,
    ];
  }

  /** Returns an outcome or a boolean in words. Spreadsheets show a boolean differently, some as 0 or 1. */
  private readonly inWords = (value: Cell): Cell => {
    const { outcomes, yes, no } = this.words;
    if (typeof value === 'boolean') return value ? yes : no;
    return typeof value === 'string' && Object.hasOwn(outcomes, value) ? outcomes[value as Outcome] : value;
  };
}

const unchanged = (value: Cell): Cell => value;

function ownColumns(words: TableWords): readonly { readonly header: string; readonly kind: AnswerKind }[] {
  return [
    { header: words.state, kind: 'text' },
    { header: words.problem, kind: 'text' },
    { header: words.problemCodes, kind: 'text' },
    { header: words.remarks, kind: 'text' },
    { header: words.line, kind: 'number' },
    { header: words.units, kind: 'number' },
    { header: words.uncertainUnits, kind: 'number' },
  ];
}

/** Joins texts without repetitions. */
const joinTexts = (texts: readonly string[]): string => [...new Set(texts)].join(' ');
