import { Int } from 'type-graphql';
import { fields, Input, nonNull, optional } from '../../../graph/core/fields';
import { Json } from '../../../graph/core/scalars/scalars';

@Input('A column of the dataset, and the variable that it fills.')
export class RegistryColumnInput extends fields({
  column: nonNull(
    String,
    'The name of the column, such as `N.S.S.`. Case, blanks, punctuation and accents are ignored if no column has exactly this name.',
  ),
  variable: optional(
    String,
    'The variable. A dot separates the field of an input object: `name.paternalSurname`. If it is null, the column is not used, even if it has the name of a variable.',
  ),
}) {}

@Input('An operation and the rows to run it for.')
export class RegistryBatchInput extends fields({
  name: optional(String, 'A name to show in lists, 200 characters at most.'),
  key: optional(
    String,
    'A key that you choose, 200 characters at most. Creating a batch with the same key again returns the same batch. With JWTs, each client has its own keys.',
  ),
  operation: nonNull(
    String,
    'The GraphQL document, a query. The columns of the dataset have the names of its variables, or `columns` names them.',
  ),
  operationName: optional(String, 'The operation to run, if the document has several.'),
  rows: optional(
    [Json],
    'The variables of each run, 1,000 rows at most, with your label as `ref`. If omitted, send a file to `uploadUrl`.',
  ),
  columns: optional(
    [RegistryColumnInput],
    'The columns of the file for variables whose names they do not have. Other columns are still matched by name. You can change the choice with the same `key` until the batch has rows.',
  ),
  refColumn: optional(
    String,
    'The column whose values label the rows, such as `No. Empleado`: `ref` of each row. Default: the column `ref`.',
  ),
  sheet: optional(
    String,
    'The visible sheet of a workbook to read, such as `Plantilla`. Default: the first one that has the required columns. You can change it like `columns`.',
  ),
  retentionDays: optional(
    Int,
    'Days that the batch is kept after its end: at least 1, and at most the number that the operator set (`KEEP_DAYS`), which is the default.',
  ),
  tag: optional(
    String,
    'The tag of the batch in the ledger, at most 64 characters with at most three digits, or as the operator set it with `TAG_PATTERN`. A tag that may identify a person is refused. If omitted, the header `x-tag` applies.',
  ),
  purpose: optional(
    String,
    'The purpose of the batch in the ledger, one of those that the operator allows (`PURPOSES`). If omitted, the header `x-purpose` applies.',
  ),
  maxAge: optional(
    String,
    'Use an answer again that the account has paid for, for the same purpose, if it is not older: a whole number and `s`, `m`, `h` or `d`, such as `30d`, at most `REUSE_DAYS` of the operator. The answers of the batch are kept for later requests, too. If omitted, each row asks.',
  ),
}) {}
