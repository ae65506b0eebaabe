const NAME = 'corrigenda-last-project'

/** The project that this browser looked at last; null: none, or the browser keeps nothing. */
export function findLastProject(): string | null {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

export function rememberProject(projectId: string): void {
  try {
    localStorage.setItem(NAME, projectId)
  } catch {
    // The browser keeps nothing: the list of projects is one click away.
  }
}
