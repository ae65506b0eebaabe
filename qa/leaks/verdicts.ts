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
  'knex 2.1.0 path "CONTRIBUTING.md"': 'names the file of a script in the repository',
  'markdownlint 0.36.1 path "doc/CustomRules.md"': 'links to a file of the source code',
  'markdownlint 0.37.4 path "doc/CustomRules.md"': 'links to a file of the source code',
  'commander 10.0.1 path "Readme.md"': 'links to a file of the source code',
  'ky 1.12.0 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'ky 1.13.0 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'ky 1.14.3 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'ky 2.0.2 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'ky 2.1.0 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'execa 9.0.2 passage "readme.md"': 'repeats examples of documentation comments',
  'execa 9.2.0 passage "readme.md"': 'repeats examples of documentation comments',
  'execa 9.3.1 passage "readme.md"': 'repeats examples of documentation comments',
  'p-queue 7.2.0 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'p-queue 8.1.1 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'p-queue 9.0.1 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'p-queue 9.1.2 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'p-queue 10.0.0 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'meow 14.1.0 passage "readme.md"': 'repeats documentation comments of options, and their examples',
  'glob 10.4.5 passage "README.md"': 'repeats documentation comments of options',
  'yup 1.0.2 passage "README.md"': 'repeats a type of nine members without a change',
  'glob 14.0.6 passage "README.md"': 'repeats documentation comments of options',
}

/** Returns the verdict on a finding, or null. */
export function findVerdict(key: string): string | null {
  const change = key.split(' ').slice(0, 3).join(' ')
  return VERDICTS[key] ?? VERDICTS[change] ?? null
}
