import { slug } from 'github-slugger'
import type { HeadingIds } from './heading-ids.ts'

/** The ids of GitHub and of most frameworks. */
export const GITHUB_IDS: HeadingIds = { toSlug: (text) => slug(text), separator: '-', firstNumber: 1, explicit: null }
