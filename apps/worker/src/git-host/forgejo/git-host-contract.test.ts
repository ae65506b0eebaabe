import { testGitHostContract } from '../test-support/git-host-contract.ts'
import { openHarness } from '../test-support/open-harness.ts'

testGitHostContract('Forgejo', () => openHarness('forgejo'))
testGitHostContract('Gitea', () => openHarness('gitea'))
