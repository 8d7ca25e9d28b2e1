export { errorTexts, type ProblemText, problemTexts } from '../code-texts';
export { codeOfError, type ListedCode, textOfError, textOfProblem } from '../texts';
