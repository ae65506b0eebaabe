const NAME = 'corrigenda-last-project'

/**
 * Returns the id of the project last opened in this browser. Returns null if no project has been
 * opened or the browser blocks storage.
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
    // The browser blocks storage, so the user selects the project from the project list.
  }
}
