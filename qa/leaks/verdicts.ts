/**
 * Findings that a person has judged: the documentation repeats the code. The keys are
 * `id version kind "path"`.
 */
export const VERDICTS: Readonly<Record<string, string>> = {}
