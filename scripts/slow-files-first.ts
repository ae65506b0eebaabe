import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take so long that they start before all others. */
const SLOWEST = /\/(chaos\/chaos|second-terminal|linear-expressions)\.test\.ts$/
/** Files that take longer than most others, because they wait or start processes. */
const SLOW = [
  /\/qa\/(zombies\/outcomes|hostile\/hostile-rows|sites\/small-sites|eval\/ci\/.+)\.test\.ts$/,
  /\/qa\/(leaks\/superlinear|injection\/(superlinear|executable-content|run-tool-fuzz))\.test\.ts$/,
  /\/qa\/e2e\//,
  /\/browser-tests\//,
  /\/apps\/worker\/src\/e2e\//,
  /\/apps\/cli\/src\/(audit-walk|(quickstart|doctor)\/\w+)\.test\.ts$/,
  /\/apps\/api\/src\/(http\/guard-database|dashboard\/access)\.test\.ts$/,
  /\/(release|start-postgres|dispatch-workflow)\.test\.ts$/,
]

/**
 * Starts slow files first, so that no process runs one alone at the end. Otherwise, the order is
 * random to reveal files that depend on other files, because files share a process.
 */
export default class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    this.ctx.logger.log(`Random order of files: --sequence.seed=${seed}`)
    const toKey = ({ moduleId }: TestSpecification) => {
      const isSlow = SLOW.some((pattern) => pattern.test(moduleId))
      return `${SLOWEST.test(moduleId) ? 0 : isSlow ? 1 : 2} ${createHash('sha1').update(`${seed} ${moduleId}`).digest('hex')}`
    }
    const keys = new Map(files.map((file) => [file, toKey(file)]))
    return [...files].sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
  }
}
