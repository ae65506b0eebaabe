/**
 * An attack by a hostile repository or prompt. The injected instructions use the grammar that the
 * testkit's obedient model follows.
 */
export interface Payload {
  /** Unique name, also used for the job's repository. */
  readonly name: string
  /** Repository files in addition to the sample pages. A symlink is given as `{ link }`. */
  readonly files?: Readonly<Record<string, string | { readonly link: string }>>
  /** The prompt. Harmless by default. */
  readonly prompt?: string
}
