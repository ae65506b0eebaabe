import type { ReactNode } from 'react'

/**
 * A link to an external site. URLs are untrusted, so those with a scheme other than http(s) are
 * shown as text.
 */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  if (!isHttpUrl(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

function isHttpUrl(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)
}
