/** A page that would take too long to parse. The message is the reason, as part of a sentence. */
export class TooIntricate extends Error {
  /** The MDX parser catches every error of the JavaScript parser and then reads its position. */
  get pos(): never {
    throw this
  }
}
