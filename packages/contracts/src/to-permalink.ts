import { type AllowedHosts, toGitHostFacts } from './git-hosts.ts'

/** Lines of a file at a commit. */
export interface Lines {
  /** Repository URL in its canonical form. */
  readonly repository: string
  readonly commit: string
  readonly path: string
  /** 1-based, inclusive. */
  readonly fromLine: number
  readonly toLine: number
}

/** Returns the URL of lines of a file on the Git host, whose kind `hosts` declares. */
export function toPermalink({ repository, commit, path, fromLine, toLine }: Lines, hosts: AllowedHosts = []): string {
  const { filePath, lastLine } = toGitHostFacts(repository, hosts)
  const lines = fromLine === toLine ? `#L${fromLine}` : `#L${fromLine}${lastLine}${toLine}`
  return `${repository}/${filePath}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}${lines}`
}

/** Returns the URL of a repository's files at a commit. */
export const toFilesUrl = (repository: string, commit: string, hosts: AllowedHosts): string =>
  `${repository}/${toGitHostFacts(repository, hosts).folderPath}/${commit}`
