import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PROJECT } from './artifacts.ts'
import type { BareRoot, RunOptions } from './bare-root.ts'

/** A port that is free on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was assigned.')
  return address.port
}

/** A port below 1024 that is free on this machine. */
export async function freePrivilegedPort(): Promise<number> {
  for (let port = 1023; port > 0; port -= 1) if (await isFree(port)) return port
  throw new Error('No port below 1024 is free.')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/**
 * Runs the conformance kit against a cloud in a bare root; each check must pass. The command line of the release registers
 * the app of the kit and makes its token.
 * @param program how the command line is called
 * @param writable a folder of the root that the user of the program can read
 */
export async function assertConformance(
  root: Pick<BareRoot, 'folder' | 'check'>,
  program: readonly string[],
  options: RunOptions,
  port: number,
  writable = '/tmp',
): Promise<void> {
  const appPort = await freePort()
  const url = `http://127.0.0.1:${appPort}`
  const manifest = {
    packageName: 'dev.example.conformance',
    name: 'Conformance',
    description: 'The conformance kit.',
    publicUrl: url,
    appStoreStatus: 'PUBLISHED',
    webviewURL: `${url}/webview`,
    permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
  }
  const folder = options.mounts?.[writable] ?? join(root.folder, writable)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest), { mode: 0o644 })
  const { apiKey } = JSON.parse(
    root.check([...program, 'app', 'register', `${writable}/manifest.json`], options),
  )
  const token = root.check([...program, 'token', 'conformance@example.org'], options).trim()
  const app = ['--app-package', manifest.packageName, '--app-key', apiKey, '--app-url', url]
  const kit = spawn(
    process.execPath,
    [
      join(PROJECT, 'packages/conformance/src/main.ts'),
      ...['--url', `http://127.0.0.1:${port}`, '--token', token, '--format', 'json'],
      ...app,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const report = JSON.parse(await text(kit.stdout))
  const checks: { id: string; status: string; reason?: string }[] = report.checks
  assert.deepEqual(
    checks.filter(({ status }) => status === 'failed'),
    [],
  )
  // Those that leave something are skipped.
  assert.ok(checks.filter(({ status }) => status === 'passed').length > 40, JSON.stringify(report.summary))
}
