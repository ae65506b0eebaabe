export { openWorkTree, type WorkTree } from './open-work-tree.ts'
export type { OverlayEntry } from './overlay.ts'
