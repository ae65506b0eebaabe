import { askServer, expectAnswer, Mismatch } from './ask-server.ts'
import { type CompatCheck, type CompatInput, Skipped } from './compat-check.ts'
import { HostedError, HostedPreview, HostedUpdate, HostedUpdateStatus } from './wire.ts'

/** Branch of the preview. It only needs to exist for the preview to succeed, which is not checked. */
const BRANCH = 'main'

/** Checks for deployments and previews. */
export const DEPLOYMENT_CHECKS: readonly CompatCheck[] = [
  {
    name: 'an update returns 202 and a readable status ID; an unknown ID returns 404',
    async run(input) {
      const unknown = await askServer(input, { method: 'GET', path: '/v1/project/update-status/no-such-update' })
      expectAnswer(unknown, 404, HostedError)
      const response = await askServer(input, { method: 'POST', path: `/v1/project/update/${input.projectId}` })
      if (response.status === 409 || response.status === 403) {
        throw new Skipped(`the server rejects deployments of this project with this key (${response.status})`)
      }
      await expectStatus(input, expectAnswer(response, 202, HostedUpdate).statusId)
    },
  },
  {
    name: 'a preview returns 202, its URL and a readable status ID; a missing branch returns 400',
    async run(input) {
      const path = `/v1/project/preview/${input.projectId}`
      const response = await askServer(input, { method: 'POST', path, body: { branch: BRANCH } })
      if (response.status === 409 || response.status === 403) {
        throw new Skipped(`the server rejects previews of this project with this key (${response.status})`)
      }
      await expectStatus(input, expectAnswer(response, 202, HostedPreview).statusId)
      expectAnswer(await askServer(input, { method: 'POST', path, body: {} }), 400, HostedError)
    },
  },
]

async function expectStatus(input: CompatInput, statusId: string): Promise<void> {
  const response = await askServer(input, { method: 'GET', path: `/v1/project/update-status/${statusId}` })
  const update = expectAnswer(response, 200, HostedUpdateStatus)
  if (update._id !== statusId) throw new Mismatch(`the response for update ${statusId} contains update ${update._id}`)
}
