/** One issue of a check. */
export interface CheckFinding {
  /** Empty if the finding concerns no single file. */
  file: string
  /** 1-based; null if the finding concerns the whole file. */
  line: number | null
  message: string
  /** The kind of issue, such as `link_broken`. */
  code?: string | undefined
  /** True if the issue does not block the change. */
  advisory?: boolean | undefined
  /** True if the issue can prevent the site from building. */
  breaksBuild?: boolean | undefined
}

/** Result of one check. Only issues that the change introduced can make it fail. */
export interface CheckResult {
  name: string
  status: 'passed' | 'failed' | 'skipped'
  introduced: number
  preexisting: number
  /** Number of existing issues that the change fixes. Absent if it fixes none. */
  fixed?: number | undefined
  /** New issues are listed first. */
  findings: CheckFinding[]
  /** A remark about the check itself, for example why it was skipped. */
  note?: string | undefined
}
