import type { AuditEventPage } from '@corrigenda/contracts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

/** Filter of the audit log in the query of its page and of the API. */
export type AuditQuery = Readonly<Record<string, string>>

/** @param projectId null for the audit log of the whole instance */
export const toAuditPath = (projectId: string | null): string =>
  projectId === null ? '/dashboard/api/ops/audit-events' : toProjectPath(projectId, 'audit-events')

/** The audit log, newest first. */
export const auditEventsQuery = (projectId: string | null, filter: AuditQuery) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', projectId, filter],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) })
      return request<AuditEventPage>(`${toAuditPath(projectId)}?${query}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })
