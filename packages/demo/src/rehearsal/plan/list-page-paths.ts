import { posix } from 'node:path'

/** Returns the paths of pages in the output of `list_files` whose file name is `name`, without duplicates. */
export function listPagePaths(output: string, name: string): string[] {
  const listed = output.match(/[^\s`"'|]+\.mdx?(?![\w.])/g) ?? []
  return [...new Set(listed)].filter((path) => posix.basename(path).replace(/\.mdx?$/, '') === name)
}
