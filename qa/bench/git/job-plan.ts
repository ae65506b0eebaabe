/** One job's work, identical for all variants. */
export interface JobPlan {
  readonly url: string
  readonly branch: string
  readonly reads: readonly string[]
  readonly needle: string
  readonly edits: readonly string[]
  readonly creates: string
  readonly text: string
}

export interface JobStats {
  readonly wallMs: number
  /** CPU time of the client, excluding the host. */
  readonly cpuMs: number
  readonly hits: number
  readonly phases: Readonly<Record<string, number>>
}
