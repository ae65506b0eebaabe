/** What a hostile repository or request tries. Orders are in the grammar of the obedient brain of the testkit. */
export interface Payload {
  /** Unique; names the repository of its job. */
  readonly name: string
  /** Files of the repository besides the sample pages. A link is given as `{ link }`. */
  readonly files?: Readonly<Record<string, string | { readonly link: string }>>
  /** The request; a harmless one by default. */
  readonly prompt?: string
}
