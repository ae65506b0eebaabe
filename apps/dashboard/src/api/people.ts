import type { OpsPerson, OpsPersonList, UpdateOpsPersonRequest } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const PEOPLE = '/dashboard/api/ops/people'
const toPath = (userId: string) => `${PEOPLE}/${encodeURIComponent(userId)}`

/** All accounts, for admins. */
export const peopleQuery = queryOptions({
  queryKey: ['ops', 'people'],
  queryFn: async ({ signal }) => (await request<OpsPersonList>(PEOPLE, { signal })).people,
})

export const updatePerson = (userId: string, body: UpdateOpsPersonRequest) =>
  request<OpsPerson>(toPath(userId), { method: 'PATCH', body })

export const deletePerson = (userId: string, email: string) =>
  request<void>(toPath(userId), { method: 'DELETE', body: { email } })
