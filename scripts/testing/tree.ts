import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** Makes a folder with these files (text by path), gone after the test. Answers its path. */
export function tree(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'glasses-cloud-tree-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** What a finished command has said, and how it ended. */
export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs one of our scripts in a folder, as from a fresh shell: without what npm and the test runner leave behind. */
export function runScript(
  name: string,
  cwd: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Finished> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(npm_|NODE_TEST|TEST_PROCESSES|REQUIRE_SERVICES)/.test(key),
    ),
  )
  const script = join(import.meta.dirname, '..', name)
  const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...inherited, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err }))
  })
}
