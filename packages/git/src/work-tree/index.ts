export { type WorkTree, openWorkTree } from './open-work-tree.ts'
export type { OverlayEntry } from './overlay.ts'
