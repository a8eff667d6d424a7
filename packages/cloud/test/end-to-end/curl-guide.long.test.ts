import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { skipIfMissing } from '../support/optional-part.ts'
import type { Scope } from '../support/scope.ts'
import { spawnCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

/** A block of commands in a Markdown page, with the output that the page shows. */
export interface CommandStep {
  /** The heading above it. */
  readonly section: string
  readonly commands: string
  /** The output; `…` matches anything. Undefined if the page shows no output. */
  readonly output: string | undefined
}

/** Parses the fenced blocks of a page: `sh` is a step, a `json` or `text` block after it is its output. */
function parseCommands(markdown: string): CommandStep[] {
  const steps: { section: string; commands: string; output: string | undefined }[] = []
  for (const [, heading, language, content = ''] of markdown.matchAll(
    /^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    const last = steps.at(-1)
    if (heading !== undefined) steps.push({ section: heading, commands: '', output: undefined })
    else if (language === 'sh')
      steps.push({ section: last?.section ?? '', commands: content, output: undefined })
    else if (last !== undefined) last.output = content
  }
  return steps.filter(({ commands }) => commands !== '')
}

/** Whether output matches that of the page. White space is ignored, because responses end without a line break. */
function matchesOutput(expected: string, actual: string): boolean {
  const parts = withoutSpace(expected).split('…')
  const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*?')
  return new RegExp(`^${source}$`).test(withoutSpace(actual))
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Marks the end of a step's output. */
const endMarker = '--- the step is over ---'

const curlMissing = skipIfMissing(
  findProgram('curl') === undefined ? 'curl is not installed (apt-get install curl)' : undefined,
)

test('OAPI-9: the commands of docs/curl.md print what the page shows', { skip: curlMissing }, async (t) => {
  const page = await readFile(join(root, 'docs/curl.md'), 'utf8')
  const [start, ...steps] = parseCommands(page)
  assert.ok(start && steps.length > 15)

  // The first step runs in a separate terminal: settings and `npm start`.
  const [command, ...settings] = start.commands.trim().split(' ').reverse()
  assert.deepEqual([command, settings.shift()], ['start', 'npm'])
  const cloud = await spawnCloud(t, {
    env: { ...Object.fromEntries(settings.map((setting) => setting.split('='))), REST_LIMIT_PER_MINUTE: '' },
  })

  // The page uses fixed ports; tests that run concurrently need free ones.
  const rewrites = await Promise.all([
    [[/http:\/\/localhost:8080/g, cloud.url] as const],
    appOnFreePort(t, 'captions', '7010'),
    appOnFreePort(t, 'broadcast', '7012'),
  ])
  const withFreePorts = (text: string) =>
    rewrites.flat().reduce((done, [from, to]) => done.replaceAll(from, to), text)

  const script = steps
    .map(({ commands }) => `${withFreePorts(commands)}\necho\necho '${endMarker}'\n`)
    .join('')
  const printed = await run(t, `set -eu\n${script}`, { ...cloud.env, PORT: new URL(cloud.url).port })
  for (const [at, { section, commands, output: expected }] of steps.entries()) {
    const actual = printed.output[at]
    const where = `${section}:\n${commands}`
    assert.ok(actual !== undefined, `${where}did not complete:\n${printed.rest}\n${printed.errors}`)
    assert.ok(
      expected === undefined || matchesOutput(withFreePorts(expected), actual),
      `${where}printed\n${actual}\nand not\n${expected}`,
    )
  }
})

test('OAPI-9: docs/curl.md has every endpoint of the contract', async () => {
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

/** Copies the manifest of a sample app with a free port; returns the replacements for commands that use the app. */
async function appOnFreePort(scope: Scope, app: string, port: string) {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const free = await findFreePort()
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

/** Runs a bash script in the repository root; returns the output of each step. */
async function run(scope: Scope, script: string, env: Readonly<Record<string, string | undefined>>) {
  const shell = spawn('bash', ['-c', script], {
    cwd: root,
    // A process group, so that background processes are killed with it.
    detached: true,
    env: { ...inheritedEnv(), ...env, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  scope.after(() => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // All processes have exited.
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
    if (code !== 0) errors += `the script exited with ${code}`
  })
  await withTimeout(90_000, ended, 'the commands did not complete').catch((error: Error) => {
    errors += error.message
  })
  const parts = output.split(endMarker)
  return { output: parts.slice(0, -1), rest: parts.at(-1), errors }
}
