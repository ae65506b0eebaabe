import { type ReactNode, useState } from 'react'
import { Chip, type ChipProps } from '../../components/chip.tsx'
import { Icon } from '../../components/icon.tsx'

export interface StepProps {
  /** `welcome-<id>` for tests. */
  readonly id: string
  readonly title: string
  readonly chip: Omit<ChipProps, 'children'> & { readonly word: string }
  /** It is the first that is not done: open unless somebody closed it. */
  readonly isNext: boolean
  readonly children: ReactNode
}

/** One line of the list that opens in place. */
export function Step({ id, title, chip, isNext, children }: StepProps) {
  const [choice, setChoice] = useState<boolean | null>(null)
  const { word, ...look } = chip
  const isOpen = choice ?? isNext
  return (
    <li className="welcome-step panel" data-testid={`welcome-${id}`}>
      <h2>
        <button type="button" className="welcome-toggle" aria-expanded={isOpen} onClick={() => setChoice(!isOpen)}>
          <span className="welcome-title">
            <Icon name="chevron" />
            {title}
          </span>
          <Chip {...look}>{word}</Chip>
        </button>
      </h2>
      {isOpen ? <div className="welcome-body">{children}</div> : null}
    </li>
  )
}
