/** What a measured worker process does, passed as JSON in its argument. */
export interface WorkerPlan {
  readonly apiUrl: string
  readonly token: string
  readonly cacheDir: string
  /** URL of the documentation repository. */
  readonly docs: string
  /** URL of the source. Null: the job has no source. */
  readonly source: string | null
  /** Number of times that the source is opened again after a new commit. */
  readonly rounds: number
  readonly usesTools: boolean
}
