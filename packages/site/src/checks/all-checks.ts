import type { Check } from '../reading/check.ts'
import { anchors } from './anchors/anchors.ts'
import { frontmatter } from './frontmatter/frontmatter.ts'
import { images } from './images/images.ts'
import { links } from './links/links.ts'
import { navigation } from './navigation/navigation.ts'
import { redirects } from './redirects/redirects.ts'
import { syntax } from './syntax/syntax.ts'

/** All checks, in the order of their results. */
export const ALL_CHECKS = [
  syntax,
  frontmatter,
  links,
  anchors,
  images,
  navigation,
  redirects,
] as const satisfies readonly Check[]

export type CheckName = (typeof ALL_CHECKS)[number]['name']
