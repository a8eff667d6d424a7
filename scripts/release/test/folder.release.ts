import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { NAME, RELEASE, VERSION } from './artifacts.ts'
import { BareRoot, checked, skipUnlessPossible, stop } from './bare-root.ts'
import { assertConformance, freePort } from './conformance.ts'
import { assertRecognition } from './recognition.ts'

const USER = '1000:1000'
const PROGRAM = '/usr/local/bin/glasses-cloud'

describe('the folder archive, in a root without Node', { skip: skipUnlessPossible() }, () => {
  let root: BareRoot

  before(() => {
    root = new BareRoot()
    checked('tar', ['-xzf', join(RELEASE, `${NAME}.tar.gz`), '-C', join(root.folder, 'opt')])
    symlinkSync(`/opt/${NAME}/glasses-cloud`, join(root.folder, PROGRAM))
    mkdirSync(join(root.folder, 'srv/user'))
    checked('chown', ['-R', USER, join(root.folder, 'srv/user')])
  })
  after(() => root.remove())

  test('REL-1 REL-3 REL-6: runs read-only, through a link, passes the conformance kit, and recognizes', async () => {
    assert.notEqual(root.run(['node', '--version']).status, 0)
    const port = await freePort()
    const env = { HOME: '/srv/user', PORT: `${port}`, REST_LIMIT_PER_MINUTE: '300' }
    const options = { user: USER, cwd: '/srv/user', env }
    assert.equal(root.check([PROGRAM, '--version'], options), `glasses-cloud ${VERSION}\n`)
    const cloud = await root.start([PROGRAM, 'start'], options)
    await assertConformance(root, [PROGRAM], options, port)

    // What is loaded from files: the console, the documentation, speech in a thread, and the sample app in a process.
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    assert.match(await (await get('/')).text(), /<title>Glasses Cloud<\/title>/)
    assert.equal((await get('/docs/swagger-ui-bundle.js')).status, 200)
    assert.ok((await (await get('/api/tts?text=hello')).arrayBuffer()).byteLength > 3000)
    assert.match(root.check([PROGRAM, 'app', 'list'], options), /dev\.glasses-cloud\.captions/)
    const processes = checked('ps', ['-eo', 'args'])
    assert.match(processes, new RegExp(`/opt/${NAME}/program/sample-app-program.mjs`))

    await assertRecognition(root, [PROGRAM], options, port, '/srv/user')

    assert.equal(await stop(cloud), 0)
    const cache = join(root.folder, 'srv/user/.cache/glasses-cloud/compiled')
    assert.ok(existsSync(cache) && readdirSync(cache).length > 0)
  })

  test('REL-2: help names the program as it is called, and a wrong command is a sentence', () => {
    const options = { user: USER, cwd: '/srv/user', env: { HOME: '/srv/user' } }
    assert.match(root.check([PROGRAM, '--help'], options), /^Usage: glasses-cloud COMMAND\n {2}start\n/)
    assert.match(root.check([PROGRAM, 'token', '--help'], options), /^Usage: glasses-cloud token EMAIL/)
    const { status, stdout, stderr } = root.run([PROGRAM, 'nonsense'], options)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /^Unknown command "nonsense"\.\n/)
  })
})
