import { JobEvidence } from '@corrigenda/contracts'
import { z } from 'zod'
import type { Db } from '../db/open-database.ts'
import type { RunModel } from '../generated/prisma/models/Run.ts'
import { FrozenPublish } from './freeze-run.ts'
import { toRunSources } from './run-sources.ts'

const Stored = z.array(JobEvidence)

/**
 * Returns a job's evidence after a run that changed files. The run's evidence for a page replaces
 * earlier evidence for the page. Evidence for pages that the pull request no longer changes is
 * removed, and so is evidence for a source that the run did not pin, which no reader can look up.
 * @param stored the job's evidence before
 */
export async function toJobEvidence(
  tx: Db,
  run: Pick<RunModel, 'jobId' | 'frozen' | 'sources'>,
  stored: unknown,
): Promise<JobEvidence[]> {
  const before = Stored.parse(stored)
  const { evidence = [] } = run.frozen === null ? {} : FrozenPublish.parse(run.frozen)
  if (before.length === 0 && evidence.length === 0) return []
  const commits = new Map((toRunSources(run.sources) ?? []).map(({ name, commit }) => [name, commit]))
  const added = evidence.flatMap((item) => {
    const commit = commits.get(item.source)
    return commit === undefined ? [] : [{ ...item, commit }]
  })
  const replaced = new Set(added.map(({ page }) => page))
  const changed = await listChangedPaths(tx, run.jobId)
  return [...before.filter(({ page }) => !replaced.has(page)), ...added].filter(({ page }) => changed.has(page))
}

async function listChangedPaths(tx: Db, jobId: string): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ path: string }[]>`
    SELECT file ->> 'path' AS path FROM job_changes, jsonb_array_elements(files) file WHERE job_id = ${jobId}`
  return new Set(rows.map(({ path }) => path))
}
