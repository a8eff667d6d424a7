import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** Creates a folder with these files (content by path) and deletes it after the test. Returns its path. */
export function temporaryProject(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'glasses-cloud-project-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}
