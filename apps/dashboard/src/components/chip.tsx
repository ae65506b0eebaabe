import { Icon, type IconName } from './icon.tsx'
import './chip.css'

export type ChipTone = 'muted' | 'accent' | 'ok' | 'bad' | 'warn'

export interface ChipProps {
  readonly children: string
  readonly icon: IconName
  readonly tone: ChipTone
  /** One sentence that says what the word means. */
  readonly hint?: string | undefined
  /** `status-chip` for the state of a job. */
  readonly testId?: string
}

/** A word with its sign: never told by colour alone. */
export function Chip({ children, icon, tone, hint, testId }: ChipProps) {
  return (
    <span className="chip" data-tone={tone} title={hint} data-testid={testId}>
      <Icon name={icon} data-turning={icon === 'turning' ? '' : undefined} />
      {children}
    </span>
  )
}
