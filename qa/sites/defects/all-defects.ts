import { ANCHOR_DEFECTS } from './anchor-defects.ts'
import { BLOCK_DEFECTS } from './block-defects.ts'
import type { DefectKind } from './defect.ts'
import { FRAMEWORK_DEFECTS } from './framework-defects.ts'
import { FRONT_MATTER_DEFECTS } from './front-matter-defects.ts'
import { IMAGE_DEFECTS } from './image-defects.ts'
import { IMPORT_DEFECTS } from './import-defects.ts'
import { INCLUDE_DEFECTS } from './include-defects.ts'
import { LINK_DEFECTS } from './link-defects.ts'
import { MDX_DEFECTS } from './mdx-defects.ts'
import { NAVIGATION_DEFECTS } from './navigation-defects.ts'
import { PAGE_DEFECTS } from './page-defects.ts'
import { REDIRECT_DEFECTS } from './redirect-defects.ts'

/** All kinds of defects, in the order of the report. */
export const ALL_DEFECTS: readonly DefectKind[] = [
  ...LINK_DEFECTS,
  ...ANCHOR_DEFECTS,
  ...IMAGE_DEFECTS,
  ...MDX_DEFECTS,
  ...FRONT_MATTER_DEFECTS,
  ...IMPORT_DEFECTS,
  ...NAVIGATION_DEFECTS,
  ...PAGE_DEFECTS,
  ...REDIRECT_DEFECTS,
  ...INCLUDE_DEFECTS,
  ...BLOCK_DEFECTS,
  ...FRAMEWORK_DEFECTS,
]
