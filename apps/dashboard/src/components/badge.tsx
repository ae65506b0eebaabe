import { Icon, type IconName } from './icon.tsx'

export type BadgeTone = 'muted' | 'accent' | 'ok' | 'bad' | 'warn'

export interface BadgeProps {
  readonly children: string
  readonly icon: IconName
  readonly tone: BadgeTone
  /** One sentence that explains the label. */
  readonly hint?: string | undefined
  /** `status-badge` for a job's state. */
  readonly testId?: string
}

/** A label with an icon. Color alone never conveys the meaning. */
export function Badge({ children, icon, tone, hint, testId }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone} title={hint} data-testid={testId}>
      <Icon name={icon} data-turning={icon === 'turning' ? '' : undefined} />
      {children}
    </span>
  )
}
