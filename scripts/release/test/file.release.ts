import assert from 'node:assert/strict'
import { appendFileSync, globSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { VERSION } from './artifacts.ts'
import { type BareRoot, checked, skipUnlessPossible, stop } from './bare-root.ts'
import { assertConformance, freePort } from './conformance.ts'
import { assertRecognition } from './recognition.ts'
import { AS_USER, HOME, PROGRAM, rootWithFile } from './single-file.ts'

const CACHE = `${HOME}/.cache/glasses-cloud/program`

describe('the single file, in a root without Node', { skip: skipUnlessPossible() }, () => {
  let root: BareRoot
  const options = AS_USER

  before(() => {
    root = rootWithFile()
  })
  after(() => root.remove())

  test('REL-6 REL-10: starts the cloud without a command, passes the conformance kit, and recognizes', async () => {
    const port = await freePort()
    const running = { ...options, env: { ...options.env, PORT: `${port}`, REST_LIMIT_PER_MINUTE: '300' } }
    const cloud = await root.start([PROGRAM], running)
    await assertConformance(root, [PROGRAM], running, port)
    const speech = await fetch(`http://127.0.0.1:${port}/api/tts?text=hello`)
    assert.ok((await speech.arrayBuffer()).byteLength > 3000)
    assert.match(checked('ps', ['-eo', 'args']), /program\/\d+\.\d+\.\d+-[0-9a-f]+\/sample-app-program\.mjs/)
    // Runs a program of a file in a process of its own.
    assert.match(root.run([PROGRAM, 'doctor'], running).stdout, /^ok +thumbnails /m)
    await assertRecognition(root, [PROGRAM], running, port, HOME)
    assert.equal(await stop(cloud), 0)
  })

  test('REL-11: unpacks into a folder that only its user can enter, and again after damage', () => {
    root.check([PROGRAM, '--version'], options)
    assert.equal(statSync(join(root.folder, CACHE)).mode & 0o777, 0o700)
    const [folder = ''] = readdirSync(join(root.folder, CACHE)).filter((name) => name.startsWith(VERSION))
    const file = join(root.folder, CACHE, folder, 'program.mjs')
    const before = statSync(file).size
    appendFileSync(file, '\nconsole.log("planted")\n')
    assert.equal(root.check([PROGRAM, '--version'], options), `glasses-cloud ${VERSION}\n`)
    assert.equal(statSync(file).size, before)
    assert.deepEqual(globSync(`${join(root.folder, CACHE)}/*.[0-9]*.*.*.*`), [])
  })

  test('REL-11: refuses a folder of another user, and one that others can write to', () => {
    for (const [name, prepare] of [
      ['owner', ['chown', '2000:2000']],
      ['mode', ['chmod', '770']],
    ] as const) {
      const cache = `/tmp/${name}`
      const folder = join(root.folder, cache, 'glasses-cloud/program')
      mkdirSync(folder, { recursive: true })
      checked('chmod', ['-R', '777', join(root.folder, cache)])
      checked('chown', ['-R', AS_USER.user, folder])
      checked(prepare[0], [prepare[1], folder])
      const env = { HOME, XDG_CACHE_HOME: cache }
      const { status, stdout, stderr } = root.run([PROGRAM, '--version'], { ...options, env })
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(
        stderr,
        /^\/tmp\/\w+\/glasses-cloud\/program must be a folder of this user that others have no access to/,
      )
    }
  })

  test('says what to do where it cannot unpack itself', () => {
    const { status, stderr } = root.run([PROGRAM, '--version'], { ...options, env: { HOME: '/nonexistent' } })
    assert.equal(status, 1)
    assert.match(stderr, /^\/nonexistent\/\S+ cannot be created \(EACCES\): set XDG_CACHE_HOME to a folder/)
  })
})
