const JOB_TABS = ['changes', 'transcript', 'checks', 'raw'] as const
export type JobTab = (typeof JOB_TABS)[number]

/** The part of a job page that its address names. */
export interface JobPlace {
  readonly tab?: JobTab
  /** Path of a changed file. */
  readonly file?: string
  /** Lines of the file; see `formatRange`. */
  readonly line?: string
}

/** Reads the address's search parameters. Unknown values are ignored. */
export function readJobPlace({ tab, file, line }: Record<string, unknown>): JobPlace {
  const known = JOB_TABS.find((one) => one === tab)
  return {
    ...(known ? { tab: known } : {}),
    ...(typeof file === 'string' ? { file } : {}),
    ...(typeof line === 'string' ? { line } : {}),
  }
}

/** Returns the address of a part of the page that is shown. */
export function toPlaceLink(place: JobPlace): string {
  const { origin, pathname } = window.location
  const query = new URLSearchParams(Object.entries(place)).toString()
  return `${origin}${pathname}${query === '' ? '' : `?${query}`}`
}
