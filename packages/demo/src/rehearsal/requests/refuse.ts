import { hasWord } from '../meaning/request.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import type { Reader } from './reader.ts'

const LANGUAGE =
  /\b(?:in|into|to)\s+(?:simplified |traditional |brazilian )?(?:german|french|spanish|italian|portuguese|chinese|japanese|korean|dutch|polish|russian|ukrainian|turkish|arabic|hindi|swedish|czech|danish|finnish|norwegian|greek|hebrew|romanian|hungarian|vietnamese|thai|indonesian)\b/i

/** Translations, which a script cannot write. */
export const readTranslation: Reader = (request) => {
  if (
    !hasWord(request, 'translate translation localize localise localization internationalize i18n') &&
    !LANGUAGE.test(request.text) &&
    !/übersetz|traduc|traduz|tradui|перевед|перевест|翻译|翻訳/i.test(request.text)
  )
    return null
  return refuse(
    'The rehearsal model does not translate, because it writes no text of its own. A real model translates pages.',
  )
}

/** Requests that no job may carry out in this repository. */
export const readForbidden: Reader = (request) => {
  const { text } = request
  if (
    /\b(?:delete|remove|drop|erase|wipe|clear)\b.{0,12}\b(?:everything|all (?:the |of the )?(?:pages|docs|files|documentation)|(?:the )?(?:whole|entire) (?:docs|documentation|repo|repository|site))\b/i.test(
      text,
    )
  )
    return refuse('Deleting all pages is not a change to the documentation. Name the pages that should go.')
  if (
    /\b(?:ci|github actions?|workflows?|pipeline|dockerfile|package\.json|makefile|source code|unit tests?)\b/i.test(
      text,
    ) &&
    !/\bdoc(?:s|ument(?:ation)?)?\b|\bpages?\b|\bguides?\b|\btutorial\b|\bsection\b/i.test(text)
  )
    return refuse('A job changes only documentation. Code, workflows and build files are protected.')
  return null
}

function refuse(reason: string) {
  const ending: Ending = { outcome: 'impossible', reason }
  return function* (): Plan<Ending> {
    yield { say: 'Step: looking at the repository.', calls: [{ tool: 'list_files', input: {} }] }
    return ending
  }
}
