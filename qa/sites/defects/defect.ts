import type { DocSite } from '../model/doc-site.ts'

export interface FileEdit {
  readonly path: string
  /** The new text, or null to delete the file. */
  readonly text: string | null
}

/** A location at which a defect can be injected. */
export interface DefectPlace {
  /** Printed if no check reports the defect. */
  readonly where: string
  /** Returns the edits, or null if the result would not be a defect. */
  build(): readonly FileEdit[] | null
}

export interface DefectKind {
  readonly id: string
  /** `core`: documented since the first version of the checks. `more`: added later. */
  readonly group: 'core' | 'more'
  /** Frameworks in which the kind exists; absent for all. */
  readonly frameworks?: readonly string[]
  list(site: DocSite, random: () => number): readonly DefectPlace[]
}
