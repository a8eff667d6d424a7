import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ChildProgram } from '../src/demo/child-program.ts'
import { waitUntilReady } from '../src/demo/wait-until-ready.ts'

const main = fileURLToPath(new URL('../src/demo/main.ts', import.meta.url))

/** The demo as a program, in a process group and with a folder for temporary files of its own. */
class Demo {
  readonly process: ChildProcess
  readonly #ended: Promise<[number | null]>
  output = ''

  constructor(args: string[], folder: string) {
    // What an operator has set must not reach the demo's cloud.
    const env = { ...process.env, TMPDIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    this.process = spawn(process.execPath, [main, ...args], { env, detached: true })
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (data) => {
        this.output += data
      })
    }
    this.#ended = once(this.process, 'close') as Promise<[number | null]>
  }

  async exitCode(): Promise<number | null> {
    return (await this.#ended)[0]
  }

  async shows(pattern: RegExp): Promise<void> {
    assert.ok(this.process.stdout)
    while (!pattern.test(this.output)) {
      await once(this.process.stdout, 'data', { signal: AbortSignal.timeout(20_000) })
    }
  }

  /** Whether any program of the demo still runs. */
  get alive(): boolean {
    try {
      process.kill(-Number(this.process.pid), 0)
      return true
    } catch {
      return false
    }
  }
}

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'demo-test-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

async function play(t: TestContext, ...args: string[]): Promise<[Demo, string]> {
  const place = await folder(t)
  const demo = new Demo(args, place)
  t.after(() => demo.alive && process.kill(-Number(demo.process.pid), 'SIGKILL'))
  return [demo, place]
}

describe('Demo', { concurrency: false }, () => {
  test('SIM-80: spoken words on the lens, the log beside it, nothing left behind', {
    timeout: 60_000,
  }, async (t) => {
    const [demo, place] = await play(t, '--fast')
    assert.equal(await demo.exitCode(), 0, demo.output)
    assert.match(demo.output, /│ Ready\. Say something\. +│/)
    assert.match(demo.output, /│ workshop\. Everything I say is on the +│/)
    assert.match(demo.output, /│ {2}captions: captioned 7 words\n/)
    assert.match(demo.output, /everything is stopped, and nothing is left behind/)
    assert.deepEqual(await readdir(place), [])
    assert.equal(demo.alive, false)
  })

  test('SIM-82: the tour goes through every step, and says what this cloud has no provider for', {
    timeout: 120_000,
  }, async (t) => {
    const [demo, place] = await play(t, 'tour', '--fast')
    assert.equal(await demo.exitCode(), 0, demo.output)
    assert.match(demo.output, /│ Say something in German +│/)
    assert.match(demo.output, /\nspeaking not configured: .*: TTS the service not configured\n/)
    assert.match(demo.output, /\ngoodbye ok: left\n/)
    assert.deepEqual(await readdir(place), [])
    assert.equal(demo.alive, false)
  })

  test('SIM-80 SIM-81: an app that dies on stage ends the demo with its name', {
    timeout: 60_000,
    skip: !existsSync('/proc/self/task') && 'child processes are found in /proc',
  }, async (t) => {
    const [demo, place] = await play(t, '--fast')
    await demo.shows(/Ready\. Say something/)
    process.kill(await childRunning(demo.process, 'apps/captions/src/main.ts'), 'SIGKILL')
    assert.equal(await demo.exitCode(), 1)
    assert.match(demo.output, /The demo failed: The app captions failed\./)
    assert.deepEqual(await readdir(place), [])
    assert.equal(demo.alive, false)
  })

  test('SIM-80: Ctrl+C leaves nothing behind either', { timeout: 60_000 }, async (t) => {
    const [demo, place] = await play(t, '--fast')
    await demo.shows(/An app is registered/)
    demo.process.kill('SIGINT')
    assert.equal(await demo.exitCode(), 130)
    assert.deepEqual(await readdir(place), [])
    assert.equal(demo.alive, false)
  })

  test('SIM-81: what it cannot do is said in a sentence', { timeout: 20_000 }, async (t) => {
    for (const args of [['juggling'], ['captions', 'captions'], ['--slow']]) {
      const [demo] = await play(t, ...args)
      assert.equal(await demo.exitCode(), 1)
      assert.match(demo.output, /Usage: npm run demo -- \[captions.*\] \[--fast\]/)
    }
    const nowhere = new Demo(['--fast'], '/nowhere')
    assert.equal(await nowhere.exitCode(), 1)
    assert.match(nowhere.output, /The demo failed: ENOENT/)
  })

  test('SIM-81: a program that does not come up is named with its last words', async (t) => {
    const place = await folder(t)
    const script = join(place, 'broken.mjs')
    await writeFile(script, 'console.error("The port is taken"); process.exit(3)')
    const broken = new ChildProgram({ name: 'The cloud', script, env: {}, cwd: place })
    await assert.rejects(waitUntilReady(broken, 'http://127.0.0.1:1/'), {
      message: 'The cloud failed. It said:\nThe port is taken',
    })
    await assert.rejects(broken.result(), /The port is taken/)
  })

  test('SIM-80: a program is asked to leave before it is made to', async (t) => {
    const place = await folder(t)
    const script = join(place, 'polite.mjs')
    const polite =
      "process.on('SIGTERM', () => process.exit(0)); console.log('here'); setInterval(() => {}, 1000)"
    await writeFile(script, polite)
    const said = new EventEmitter<{ line: [string] }>()
    const child = new ChildProgram({
      name: 'It',
      script,
      env: {},
      cwd: place,
      onLine: (line) => said.emit('line', line),
    })
    await once(said, 'line', { signal: AbortSignal.timeout(20_000) })
    await child.stop()
    assert.equal(await child.exited, 0)
  })
})

/** The process id of a child that runs a script. */
async function childRunning(parent: ChildProcess, script: string): Promise<number> {
  const children = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean)) {
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(script)) return Number(pid)
  }
  assert.fail(`No child runs ${script}`)
}
