const NAME = 'corrigenda-last-project'

/**
 * Returns the project that was last opened in this browser. Null: none, or the browser blocks
 * storage.
 */
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
    // The browser blocks storage. The user selects the project in the list of projects.
  }
}
