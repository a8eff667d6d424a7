import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { espeakMissing } from '../../src/features/tts/testing/espeak-missing.ts'
import { isAsPrinted, parseCommands } from '../support/markdown-commands.ts'
import { type Scope, spawnCloud, withTimeout } from '../support/test-cloud.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Ends the output of a step. */
const mark = '--- the step is over ---'

test('OAPI-9: the page of curl commands does what it says', {
  skip: espeakMissing,
  timeout: 110_000,
}, async (t) => {
  const page = await readFile(join(root, 'docs/curl.md'), 'utf8')
  const [start, ...steps] = parseCommands(page)
  assert.ok(start && steps.length > 15)

  // The first step is what a terminal of its own runs: settings, and `npm start`.
  const [command, ...settings] = start.commands.trim().split(' ').reverse()
  assert.deepEqual([command, settings.shift()], ['start', 'npm'])
  const cloud = await spawnCloud(t, {
    env: { ...Object.fromEntries(settings.map((setting) => setting.split('='))), REST_LIMIT_PER_MINUTE: '' },
  })

  // A page has fixed ports; tests that run side by side have not.
  const rewrites = await Promise.all([
    [[/http:\/\/127\.0\.0\.1:8080/g, cloud.url] as const],
    onFreePort(t, 'captions', '7010'),
    onFreePort(t, 'broadcast', '7012'),
  ])
  const here = (text: string) => rewrites.flat().reduce((done, [from, to]) => done.replaceAll(from, to), text)

  const script = steps.map(({ commands }) => `${here(commands)}\necho\necho '${mark}'\n`).join('')
  const printed = await run(t, `set -eu\n${script}`, { ...cloud.env, PORT: new URL(cloud.url).port })
  for (const [at, { section, commands, printed: expected }] of steps.entries()) {
    const actual = printed.output[at]
    const where = `${section}:\n${commands}`
    assert.ok(actual !== undefined, `${where}did not come to its end:\n${printed.rest}\n${printed.errors}`)
    assert.ok(
      expected === undefined || isAsPrinted(here(expected), actual),
      `${where}printed\n${actual}\nand not\n${expected}`,
    )
  }
})

test('OAPI-9: the page has every endpoint of the specification', async () => {
  const page = await readFile(join(root, 'docs/curl.md'), 'utf8')
  const commands = parseCommands(page)
    .map((step) => step.commands)
    .join('')
  for (const path of [
    'api/apps/public',
    'api/apps/search?q=',
    'api/apps/available',
    'api/apps/installed',
    'api/apps/version',
    'api/apps/install/',
    'api/apps/uninstall/',
    '/start',
    '/stop',
    'api/account/me',
    'api/account/profile',
    'api/account/request-deletion',
    'api/account/request-export',
    'api/account/export-status',
    'api/account/download-export/',
    'api/account/privacy',
    'api/account/oauth/app/',
    'api/account/oauth/token',
    'api/permissions/',
    'api/gallery/',
    'api/audio/',
    'api/tts',
    'api/transcripts/',
    '/outputs/',
  ])
    assert.ok(commands.includes(path), path)
})

/** Commands that start an app of the project, and its manifest, changed to a free port. */
async function onFreePort(scope: Scope, app: string, port: string) {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const free = await freePort()
  const manifest = `apps/${app}/manifest.json`
  const text = await readFile(join(root, manifest), 'utf8')
  assert.ok(text.includes(`:${port}"`))
  const copy = join(folder, 'manifest.json')
  await writeFile(copy, text.replace(`:${port}"`, `:${free}"`))
  return [
    [new RegExp(manifest, 'g'), copy] as const,
    [new RegExp(`npm start -w ${app}`, 'g'), `PORT=${free} npm start -w ${app}`] as const,
    [new RegExp(`127\\.0\\.0\\.1:${port}`, 'g'), `127.0.0.1:${free}`] as const,
  ]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

/** Runs a script with bash in the project, and gives back what each step printed. */
async function run(scope: Scope, script: string, env: Readonly<Record<string, string | undefined>>) {
  const shell = spawn('bash', ['-c', script], {
    cwd: root,
    // A group of its own, so that whatever it leaves in the background can be ended with it.
    detached: true,
    env: { ...env, PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  scope.after(() => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // Everybody has left already.
    }
  })
  let output = ''
  let errors = ''
  shell.stdout.on('data', (data) => {
    output += data
  })
  shell.stderr.on('data', (data) => {
    errors += data
  })
  const ended = once(shell, 'exit').then(([code]) => {
    if (code !== 0) errors += `it ended with ${code}`
  })
  await withTimeout(90_000, ended, 'the page did not come to its end').catch((error: Error) => {
    errors += error.message
  })
  const parts = output.split(mark)
  return { output: parts.slice(0, -1), rest: parts.at(-1), errors }
}
