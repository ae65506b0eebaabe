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

/** Returns the URL of lines of a file on the Git host, which is GitHub or GitHub Enterprise. */
export function toPermalink({ repository, commit, path, fromLine, toLine }: Lines): string {
  const lines = fromLine === toLine ? `#L${fromLine}` : `#L${fromLine}-L${toLine}`
  return `${repository}/blob/${commit}/${path.split('/').map(encodeURIComponent).join('/')}${lines}`
}
