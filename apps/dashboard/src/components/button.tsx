import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /**
   * `primary`: the main action; `danger`: a destructive action; `quiet`: a button without a border.
   */
  readonly variant?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly icon?: IconName
  /** Disables the button and shows that an action is running. */
  readonly busy?: boolean
  /** Shows only the icon. Screen readers read the children. */
  readonly iconOnly?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({ variant = 'plain', icon, busy = false, iconOnly = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
      data-variant={variant}
      data-icon-only={iconOnly || undefined}
      className={rest.className ? `button ${rest.className}` : 'button'}
    >
      {busy ? <Icon name="turning" data-turning="" /> : icon ? <Icon name={icon} /> : null}
      <span className={iconOnly ? 'sr-only' : undefined}>{children}</span>
    </button>
  )
}

/**
 * A link to an external site. URLs are untrusted, so those with a scheme other than http(s) are
 * shown as text.
 */
export function ExternalLink(props: {
  href: string
  children: ReactNode
  /** Shows the link as a button. */
  button?: 'primary' | 'plain'
}) {
  const { href, children, button } = props
  if (!isHttpUrl(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noreferrer" {...(button && { className: 'button', 'data-variant': button })}>
      {children}
    </a>
  )
}

function isHttpUrl(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)
}
