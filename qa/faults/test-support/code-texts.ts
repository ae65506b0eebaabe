export const CODE_AREAS = {
  work: "The agent's work",
  service: 'The service',
  model: 'The model API',
  host: 'The Git host',
  app: 'Credentials and the GitHub App',
  repository: 'The repository',
  publish: 'The branch and the pull request',
} as const

/** Explanation of one failure code. */
export interface CodeTexts {
  readonly area: keyof typeof CODE_AREAS
  /** At most 90 characters, like `remedy`. */
  readonly meaning: string
  readonly remedy: string
  /** More facts and remedies, listed below the table. */
  readonly details?: string
}

export const HOST_REASON = "The failure message contains the host's reason."
