import type { Site } from '../frameworks/framework.ts'
import { PAGE } from '../pages/paths.ts'

/** Returns the files that configure a site, except navigation in Markdown. */
export function listConfigFiles({ config, navigation, redirects }: Site): readonly string[] {
  const files = [...(config === null ? [] : [config]), ...navigation.files, ...redirects.files]
  return [...new Set(files)].filter((path) => !PAGE.test(path))
}
