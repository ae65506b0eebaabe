/** One commit of a repository, read completely into memory except for files that are not text. */
export interface SiteTree {
  /** Paths of regular files, in code-unit order. */
  readonly paths: readonly string[]
  /** Returns a file's text, or null if the file is missing, over 2 MB, or not UTF-8. */
  text(path: string): string | null
}
