import { startHarness } from '@corrigenda/git/internal/test-support/harness'
import { expect, test } from 'vitest'

test('kills a download that exceeds its memory limit long before its time limit', async () => {
  const childModule = new URL('../../packages/git/dist/mirror/fetch-child.js', import.meta.url)
  const childLimits = { maxResidentBytes: 1_000_000, maxBuildMs: 120_000 }
  await using host = await startHarness([{ path: 'a.md', content: 'a\n' }], {
    coldBuild: 'child',
    childModule,
    childLimits,
  })
  // The host never responds, so only the child's external monitor can stop the download.
  host.server.fault = {
    before: (request, _response, body) => request.method === 'POST' && body.includes('command=fetch'),
  }
  const open = host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
  await expect(open).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining('memory') })
})
