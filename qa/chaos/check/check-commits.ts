import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureSshKeygen, type GitHost } from '@corrigenda/testkit'
import type { AcceptedJob } from '../client/submit-job.ts'

const NOTHING = '0'.repeat(40)

/**
 * Checks that workers pushed one commit to each job's branch, whatever the number of attempts, and
 * that Git accepts its signature.
 * @param signingKey the only key that may have signed
 */
export async function checkCommits(
  { host, signingKey }: { readonly host: GitHost; readonly signingKey: string },
  jobs: readonly AcceptedJob[],
): Promise<string[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'corrigenda-signers-'))
  const signers = path.join(dir, 'allowed')
  await writeFile(signers, `corrigenda ${signingKey}\n`)
  const program = await ensureSshKeygen()
  const settings = ['-c', `gpg.ssh.allowedSignersFile=${signers}`, '-c', `gpg.ssh.program=${program}`]
  const { refUpdates } = host.stats()
  const violations: string[] = []
  try {
    for (const { id, plan, project } of jobs) {
      const ref = `refs/heads/corrigenda/${id}`
      const pushed = new Set(
        refUpdates.flatMap((one) =>
          one.repo === project.repository && one.ref === ref && one.via !== 'user' && one.new !== NOTHING
            ? [one.new]
            : [],
        ),
      )
      if (pushed.size > 1) violations.push(`${plan.name} (${id}): ${pushed.size} commits were pushed`)
      for (const commit of pushed) {
        const isGood = await host.git(project.repository, ...settings, 'verify-commit', commit).then(
          () => true,
          () => false,
        )
        if (!isGood) violations.push(`${plan.name} (${id}): git rejects the signature of ${commit}`)
      }
    }
    return violations
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
