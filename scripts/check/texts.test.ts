import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { Project } from './project.ts'
import { checkTexts } from './texts.ts'

test('texts in elements of the console are reported with their line', (t) => {
  const page = `export function A() {
  return (
    <Page title="Apps" label={texts.label}>
      Install apps
      <Link to="/store" aria-label={'Store'}>{texts.store} · 1</Link>
      <code>{name}</code>: ·
      <input placeholder="Search" />
    </Page>
  )
}
`
  const files = {
    'packages/console/src/pages/A.tsx': page,
    'packages/console/src/pages/texts.ts': "export const texts = { title: 'Apps' }",
    'apps/a/src/B.tsx': page,
  }
  const problems = checkTexts(new Project(temporaryProject(t, files)))
  const lines = problems.map(
    (problem) => /^packages\/console\/src\/pages\/A\.tsx:(\d+) {2}Move/.exec(problem)?.[1],
  )
  assert.deepEqual(lines.sort(), ['3', '4', '5', '7'])
})
