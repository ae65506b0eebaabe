export { listTree } from './list-tree.ts'
export { type Mirrors, openMirrors } from './open-mirrors.ts'
export type { Snapshot } from './snapshot.ts'
