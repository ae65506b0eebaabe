import { useQuery, useQueryClient } from '@tanstack/react-query'
import { accountSessionsQuery, endOtherSessions, endSession } from '../../api/account.ts'
import { Badge } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'

// Many browsers also send the tokens of browsers further down this list, so the order matters.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

const COLUMNS = [
  { title: 'Browser' },
  { title: 'IP address' },
  { title: 'Last seen' },
  { title: 'Signed in' },
  { title: 'Actions', hidden: true },
]

export function SessionsSection() {
  const sessions = useQuery(accountSessionsQuery)
  const queryClient = useQueryClient()
  const toast = useToast()
  const refresh = () => queryClient.invalidateQueries({ queryKey: accountSessionsQuery.queryKey })
  const end = useAction({
    mutationFn: endSession,
    onSuccess: () => toast('Session ended.'),
    onSettled: refresh,
  })
  const endOthers = useAction({
    mutationFn: endOtherSessions,
    onSuccess: () => toast('All other sessions ended.'),
    onSettled: refresh,
  })
  const others = (sessions.data ?? []).filter(({ current }) => !current)
  const problem = sessions.error ?? end.error ?? endOthers.error
  return (
    <Block
      title="Sessions"
      id="sessions"
      description="Browsers signed in to your account. Ending a session signs the browser out immediately."
    >
      <div className="block-body">
        {problem ? <ErrorNote error={problem} /> : null}
        {sessions.isPending ? <Loading /> : null}
        {sessions.data ? (
          <div className="panel">
            <Table label="Sessions" columns={COLUMNS}>
              {sessions.data.map((session) => (
                <tr key={session.id} data-testid="session-row">
                  <td data-label="Browser">
                    <span className="cluster" title={session.userAgent ?? undefined}>
                      {toBrowserName(session.userAgent)}
                      {session.current ? (
                        <Badge icon="check" tone="ok">
                          This browser
                        </Badge>
                      ) : null}
                    </span>
                  </td>
                  <td data-label="IP address" className="mono">
                    {session.address ?? '–'}
                  </td>
                  <td data-label="Last seen">
                    <RelativeTime at={session.lastSeenAt} />
                  </td>
                  <td data-label="Signed in">
                    <RelativeTime at={session.createdAt} />
                  </td>
                  <td data-numeric="">
                    {session.current ? null : (
                      <Button
                        variant="danger"
                        busy={end.isPending && end.variables === session.id}
                        onClick={() => end.mutate(session.id)}
                      >
                        End session
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          </div>
        ) : null}
        {others.length > 0 ? (
          <div>
            <Button variant="danger" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              End all other sessions
            </Button>
          </div>
        ) : null}
      </div>
    </Block>
  )
}

/**
 * Returns a name such as "Firefox on Linux" for a User-Agent header. Unknown browsers are named
 * "Unknown browser", and unknown systems are omitted.
 */
export function toBrowserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const browser = BROWSERS.find(([word]) => userAgent.includes(`${word}/`))?.[1] ?? 'Unknown browser'
  const system = SYSTEMS.find(([word]) => userAgent.includes(word))?.[1]
  return system ? `${browser} on ${system}` : browser
}
