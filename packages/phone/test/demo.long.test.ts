import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ChildProgram } from '../src/demo/child-program.ts'
import { waitUntilReady } from '../src/demo/demo-environment.ts'

const main = fileURLToPath(new URL('../src/demo/main.ts', import.meta.url))

/** The demo in a child process, with its own process group and temporary folder. */
class Demo {
  readonly process: ChildProcess
  readonly #exited: Promise<[number | null]>
  output = ''

  constructor(args: string[], folder: string) {
    // The cloud of the demo must not use the operator's settings.
    const env = { ...process.env, TMPDIR: folder, DATABASE_URL: 'postgres://unused@127.0.0.1:1/none' }
    this.process = spawn(process.execPath, [main, ...args], { env, detached: true })
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (data) => {
        this.output += data
      })
    }
    this.#exited = once(this.process, 'close') as Promise<[number | null]>
  }

  async exitCode(): Promise<number | null> {
    return (await this.#exited)[0]
  }

  async waitForOutput(pattern: RegExp): Promise<void> {
    assert.ok(this.process.stdout)
    while (!pattern.test(this.output)) {
      await once(this.process.stdout, 'data', { signal: AbortSignal.timeout(20_000) })
    }
  }

  /** Whether any process of the demo is still running. */
  get isRunning(): boolean {
    try {
      process.kill(-Number(this.process.pid), 0)
      return true
    } catch {
      return false
    }
  }
}

async function createFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'demo-test-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

async function startDemo(t: TestContext, ...args: string[]): Promise<[Demo, string]> {
  const folder = await createFolder(t)
  const demo = new Demo(args, folder)
  t.after(() => demo.isRunning && process.kill(-Number(demo.process.pid), 'SIGKILL'))
  return [demo, folder]
}

describe('Demo', { concurrency: false }, () => {
  test('shows speech on the display and the log of the app beside it, and leaves nothing behind', async (t) => {
    const [demo, folder] = await startDemo(t, '--fast')
    assert.equal(await demo.exitCode(), 0, demo.output)
    assert.match(demo.output, /│ Ready\. Say something\. +│/)
    assert.match(demo.output, /│ workshop\. Each word appears on the +│/)
    assert.match(demo.output, /│ {2}captions: captioned 7 words\n/)
    const hasVoice = ['flite', 'pocketsphinx_continuous'].every((name) => spawnSync(name).error === undefined)
    assert.match(demo.output, hasVoice ? /│ .*everyone +│/ : /apt-get install flite pocketsphinx/)
    assert.match(demo.output, /All programs are stopped and the temporary files are deleted/)
    assert.deepEqual(await readdir(folder), [])
    assert.equal(demo.isRunning, false)
  })

  test('the tour runs every step, speaks, and reports missing providers', async (t) => {
    const [demo, folder] = await startDemo(t, 'tour', '--fast')
    assert.equal(await demo.exitCode(), 0, demo.output)
    assert.match(demo.output, /│ Say something in German +│/)
    assert.match(demo.output, /\ntranslation not configured: /)
    assert.match(demo.output, /\ntext to speech ok: spoken in \d\.\d s\n/)
    assert.match(demo.output, /\ndisconnect ok: disconnected\n/)
    assert.deepEqual(await readdir(folder), [])
    assert.equal(demo.isRunning, false)
  })

  test('an app that exits ends the demo with an error that names it', {
    skip: !existsSync('/proc/self/task') && 'child processes are found in /proc',
  }, async (t) => {
    const [demo, folder] = await startDemo(t, '--fast')
    await demo.waitForOutput(/Ready\. Say something/)
    process.kill(await findChild(demo.process, 'apps/captions/src/main.ts'), 'SIGKILL')
    assert.equal(await demo.exitCode(), 1)
    assert.match(demo.output, /The demo failed: The app captions failed\./)
    assert.deepEqual(await readdir(folder), [])
    assert.equal(demo.isRunning, false)
  })

  test('Ctrl+C leaves nothing behind', async (t) => {
    const [demo, folder] = await startDemo(t, '--fast')
    await demo.waitForOutput(/Registering and starting/)
    demo.process.kill('SIGINT')
    assert.equal(await demo.exitCode(), 130)
    assert.deepEqual(await readdir(folder), [])
    assert.equal(demo.isRunning, false)
  })

  test('unknown scenarios and options print the usage', async (t) => {
    for (const args of [['juggling'], ['captions', 'captions'], ['--slow']]) {
      const [demo] = await startDemo(t, ...args)
      assert.equal(await demo.exitCode(), 1)
      assert.match(demo.output, /Usage: npm run demo -- \[captions.*\] \[--fast\]/)
    }
    const missingFolder = new Demo(['--fast'], '/nowhere')
    assert.equal(await missingFolder.exitCode(), 1)
    assert.match(missingFolder.output, /The demo failed: ENOENT/)
  })

  test('a program that fails to start is named with its last output', async (t) => {
    const folder = await createFolder(t)
    const script = join(folder, 'broken.mjs')
    await writeFile(script, 'console.error("The port is taken"); process.exit(3)')
    const broken = new ChildProgram({ name: 'The cloud', script, env: {}, cwd: folder })
    await assert.rejects(waitUntilReady(broken, 'http://127.0.0.1:1/'), {
      message: 'The cloud failed. Its last output:\nThe port is taken',
    })
    await assert.rejects(broken.output(), /The port is taken/)
  })

  test('a program receives SIGTERM before SIGKILL', async (t) => {
    const folder = await createFolder(t)
    const script = join(folder, 'graceful.mjs')
    const source =
      "process.on('SIGTERM', () => process.exit(0)); console.log('started'); setInterval(() => {}, 1000)"
    await writeFile(script, source)
    const output = new EventEmitter<{ line: [string] }>()
    const child = new ChildProgram({
      name: 'The program',
      script,
      env: {},
      cwd: folder,
      onLine: (line) => output.emit('line', line),
    })
    await once(output, 'line', { signal: AbortSignal.timeout(20_000) })
    await child.stop()
    assert.equal(await child.exited, 0)
  })
})

/** The process id of the child that runs a script. */
async function findChild(parent: ChildProcess, script: string): Promise<number> {
  const children = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean)) {
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(script)) return Number(pid)
  }
  assert.fail(`No child process runs ${script}`)
}
