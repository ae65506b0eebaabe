import { type ReactNode, useState } from 'react'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'

export interface StepProps {
  /** `welcome-<id>` for tests. */
  readonly id: string
  readonly title: string
  readonly badge: Omit<BadgeProps, 'children'> & { readonly word: string }
  /** The step is the first unfinished one. It is open unless the user has closed it. */
  readonly isNext: boolean
  readonly children: ReactNode
}

/** One step of the list, which expands in place. */
export function Step({ id, title, badge, isNext, children }: StepProps) {
  const [choice, setChoice] = useState<boolean | null>(null)
  const { word, ...rest } = badge
  const isOpen = choice ?? isNext
  return (
    <li className="welcome-step panel" data-testid={`welcome-${id}`}>
      <h2>
        <button type="button" className="welcome-toggle" aria-expanded={isOpen} onClick={() => setChoice(!isOpen)}>
          <span className="welcome-title">
            <Icon name="chevron" />
            {title}
          </span>
          <Badge {...rest}>{word}</Badge>
        </button>
      </h2>
      {isOpen ? <div className="welcome-body">{children}</div> : null}
    </li>
  )
}
