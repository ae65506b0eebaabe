/** Returns false for a text that browsers run as code if it is used as a URL or as HTML. */
export function isPlainText(text: string): boolean {
  // Browsers ignore control characters and spaces in a scheme.
  const scheme = text.replace(/[\p{Cc}\s]+/gu, '')
  return (
    !/^(?:javascript|vbscript|data):/i.test(scheme) &&
    !/<\/?(?:script|iframe|object|embed|svg|style)\b|\son\w+\s*=/i.test(text)
  )
}
