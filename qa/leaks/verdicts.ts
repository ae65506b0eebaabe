/**
 * Findings that a person has judged: the documentation repeats the code or names its files. The keys
 * are `id version kind "path"`, or `id version kind` for all files of a change.
 */
export const VERDICTS: Readonly<Record<string, string>> = {
  'find-my-way 9.10.2 path "README.md"': 'names the file of a benchmark in the repository',
  'markdown-it 14.1.1 path "README.md"': 'links to three files of the source code',
  'markdownlint 0.36.1 passage "README.md"': 'repeats a documentation comment of eight lines with its signature',
  'commander 12.1.0 passage "Readme.md"': 'repeats a documentation comment with its list and its example',
  'undici 8.6.0 path': 'names the source file of every page in a comment',
  'fastify 5.12.8 passage "docs/Reference/Warnings.md"':
    'repeats two warnings of more than 240 characters, apart from one word',
}

/** Returns the verdict on a finding, or null. */
export function findVerdict(key: string): string | null {
  const change = key.split(' ').slice(0, 3).join(' ')
  return VERDICTS[key] ?? VERDICTS[change] ?? null
}
