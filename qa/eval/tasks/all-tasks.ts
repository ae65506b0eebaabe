import type { Task } from '../task/task.ts'
import { addPageTasks } from './add-page-tasks.ts'
import { alreadyDoneTasks } from './already-done-tasks.ts'
import { closedWorldHeldOutTasks } from './closed-world-held-out-tasks.ts'
import { closedWorldTasks } from './closed-world-tasks.ts'
import { deleteTasks } from './delete-tasks.ts'
import { fidelityTasks } from './fidelity-tasks.ts'
import { followUpTasks } from './follow-up-tasks.ts'
import { frameworkTasks } from './framework-tasks.ts'
import { fromSourceHeldOutTasks } from './from-source-held-out-tasks.ts'
import { fromSourceTasks } from './from-source-tasks.ts'
import { injectionTasks } from './injection-tasks.ts'
import { moveTasks } from './move-tasks.ts'
import { outsideTasks } from './outside-tasks.ts'
import { renameTasks } from './rename-tasks.ts'
import { repairTasks } from './repair-tasks.ts'
import { translationTasks } from './translation-tasks.ts'
import { unknownFactsTasks } from './unknown-facts-tasks.ts'

/** All tasks for this project's sites. */
export const ALL_TASKS: readonly Task[] = [
  ...renameTasks,
  ...moveTasks,
  ...deleteTasks,
  ...repairTasks,
  ...addPageTasks,
  ...closedWorldTasks,
  ...closedWorldHeldOutTasks,
  ...alreadyDoneTasks,
  ...unknownFactsTasks,
  ...outsideTasks,
  ...injectionTasks,
  ...translationTasks,
  ...fidelityTasks,
  ...followUpTasks,
  ...frameworkTasks,
  ...fromSourceTasks,
  ...fromSourceHeldOutTasks,
]
