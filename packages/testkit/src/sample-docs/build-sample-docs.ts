import { apiResourcePages } from './api-resource-pages.ts'
import { apiTopicPages } from './api-topic-pages.ts'
import { cliCommandPages } from './cli-command-pages.ts'
import { cliSettingPages } from './cli-setting-pages.ts'
import { getStartedPages } from './get-started-pages.ts'
import { helpPages } from './help-pages.ts'
import { images } from './images.ts'
import { siteConfig } from './navigation.ts'
import { operatingGuidePages } from './operating-guide-pages.ts'
import { projectFiles } from './project-files.ts'
import { schedulingGuidePages } from './scheduling-guide-pages.ts'
import { sdkPages } from './sdk-pages.ts'

/**
 * The documentation repository of an invented product: about forty MDX pages with navigation, images and rules for writing.
 * Paths to contents, as createRepository takes them; the same every time.
 */
export function buildSampleDocs(): Map<string, { data: string }> {
  const pages = {
    ...getStartedPages,
    ...schedulingGuidePages,
    ...operatingGuidePages,
    ...cliCommandPages,
    ...cliSettingPages,
    ...apiResourcePages,
    ...apiTopicPages,
    ...sdkPages,
    ...helpPages,
  }
  const files: [string, string][] = [
    ...Object.entries(projectFiles),
    ['docs.json', `${JSON.stringify(siteConfig, null, 2)}\n`],
    ...Object.entries(pages).map(([path, text]): [string, string] => [`${path}.mdx`, text]),
    ...Object.entries(images),
  ]
  return new Map(files.map(([path, data]) => [path, { data }]))
}
