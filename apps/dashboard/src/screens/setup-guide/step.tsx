import { type ReactNode, useState } from 'react'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'

export interface StepProps {
  /** Part of the test id, `setup-guide-<id>`. */
  readonly id: string
  readonly title: string
  readonly badge: Omit<BadgeProps, 'children'> & { readonly word: string }
  /** True for the first unfinished step, which is open unless the user has closed it. */
  readonly isNext: boolean
  readonly children: ReactNode
}

/** A collapsible step of the guide. */
export function Step({ id, title, badge, isNext, children }: StepProps) {
  const [choice, setChoice] = useState<boolean | null>(null)
  const { word, ...rest } = badge
  const isOpen = choice ?? isNext
  return (
    <li className="setup-guide-step panel" data-testid={`setup-guide-${id}`}>
      <h2>
        <button
          type="button"
          className="setup-guide-toggle spread"
          aria-expanded={isOpen}
          onClick={() => setChoice(!isOpen)}
        >
          <span className="setup-guide-title">
            <Icon name="chevron" />
            {title}
          </span>
          <Badge {...rest}>{word}</Badge>
        </button>
      </h2>
      {isOpen ? <div className="setup-guide-body stack gap-3">{children}</div> : null}
    </li>
  )
}
