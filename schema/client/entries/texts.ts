export { codeOfError, errorTexts, textOfError } from '../error-texts';
export { type ListedCode, type ProblemText, problemTexts, textOfProblem } from '../problem-texts';
