import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface ScriptResult {
  /** Null if the process was killed by a signal. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script of this project in another folder, without the environment variables of npm and the test runner. */
export function runScript(
  name: string,
  cwd: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<ScriptResult> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(npm_|NODE_TEST|TEST_|SEARCH_SHARE|REQUIRE_SERVICES)/.test(key),
    ),
  )
  const script = join(import.meta.dirname, '..', name)
  const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...inherited, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
}
