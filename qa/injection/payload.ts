/**
 * An attack by a hostile repository or request. The injected instructions use the
 * grammar that the testkit's obedient model follows.
 */
export interface Payload {
  /** Unique. Also the name of its job's repository. */
  readonly name: string
  /** Files of the repository in addition to the sample pages. A link is given as `{ link }`. */
  readonly files?: Readonly<Record<string, string | { readonly link: string }>>
  /** The request. Default: a harmless one. */
  readonly prompt?: string
}
