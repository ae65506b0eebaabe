/** What every variant does, so that they do the same. */
export interface JobPlan {
  readonly url: string
  readonly branch: string
  readonly reads: readonly string[]
  readonly needle: string
  readonly edits: readonly string[]
  readonly creates: string
  readonly text: string
}

export interface JobFigures {
  readonly wallMs: number
  /** Of the client, without the host. */
  readonly cpuMs: number
  readonly hits: number
  readonly phases: Readonly<Record<string, number>>
}
