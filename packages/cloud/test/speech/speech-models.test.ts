import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { AdminSpeechModels, Finding } from '@glasses-cloud/contract'
import { packTar } from 'modern-tar'
import { eitherDatabase, sqlite } from '../../src/db/testing.ts'
import { catalogueModels, type ModelManifest } from '../../src/features/speech-models/index.ts'
import { cli } from '../support/cli.ts'
import { createDeveloper, type Developer } from '../support/developer.ts'
import { type ModelPublisher, publishModel, startPublisher } from '../support/model-publisher.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const PATH = '/api/admin/speech-models'

eitherDatabase((database) => {
  describe('administration of speech models', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let root: Developer
    let publisher: ModelPublisher

    before(async () => {
      publisher = await startPublisher(scope)
      cloud = await startCloud(scope, { database })
      root = await createDeveloper(cloud, 'root')
      await cloud.operator.users.setAdministrator(root.id, true, Date.now())
    })

    const send = <Body>(method: string, path: string, body?: unknown) =>
      cloud.request<Body>(method, path, { token: root.token, body })
    const list = async (query = '') =>
      (await send<{ data: AdminSpeechModels }>('GET', `${PATH}${query}`)).body.data
    const find = async (id: string) => (await list()).models.find((model) => model.id === id)
    const install = (body: object) => send<{ error?: string; message?: string }>('POST', PATH, body)
    const settled = (id: string) =>
      waitFor(`the end of the installation of ${id}`, async () => {
        const model = await find(id)
        return model?.state !== 'installing' && model
      })
    /** Publishes a manifest whose files are beside it. */
    const publish = (id: string, language = 'en'): string => {
      const { files, ...manifest } = publishModel(publisher, id, 'stated', language)
      const relative = { ...manifest, files: files.map(({ url: _, ...file }) => file) }
      publisher.files.set(`${id}/model.json`, { content: Buffer.from(JSON.stringify(relative)) })
      return `${publisher.url}${id}/model.json`
    }

    test('MOD-2 MOD-4 MOD-10: a model is installed from an address and removed', async () => {
      const before = await list('?language=de-AT')
      assert.equal(before.recommended, 'streaming-zipformer-de')
      assert.deepEqual(before.installedLanguages, [])
      assert.deepEqual(
        before.models.map(({ id, state, isListed }) => [id, state, isListed]),
        catalogueModels().map(({ id }) => [id, 'available', true]),
      )
      const url = publish('own-de', 'de')
      assert.equal((await install({ url })).status, 200)
      const installed = await settled('own-de')
      assert.equal(installed.state, 'installed')
      assert.equal(installed.bytes, 200_000)
      assert.equal(installed.isListed, false)
      const after = await list('?language=de-AT')
      assert.equal(after.recommended, undefined)
      assert.deepEqual(after.installedLanguages, ['de'])
      assert.equal(after.models.at(-1)?.id, 'own-de')
      assert.equal((await install({ url })).body.error, 'SPEECH_MODEL_INSTALLED')
      assert.equal((await send('DELETE', `${PATH}/own-de`)).status, 200)
      assert.equal((await send('DELETE', `${PATH}/own-de`)).status, 404)
      assert.equal(await find('own-de'), undefined)
    })

    test('MOD-11 MOD-14 MOD-19: a failed installation is repeated or forgotten', async () => {
      const url = publish('bad')
      publisher.files.set('bad/tokens.txt', { content: Buffer.from('other') })
      assert.equal((await install({ url })).status, 200)
      const failed = await settled('bad')
      assert.equal(failed.state, 'failed')
      assert.match(String(failed.failure), /tokens.txt has 5 bytes instead of 80000; another file/)
      assert.ok((failed.receivedBytes ?? 0) >= 120_000)
      assert.equal((await install({ url })).status, 200)
      assert.equal((await settled('bad')).state, 'failed')
      assert.equal((await send('POST', `${PATH}/bad/cancel`)).status, 200)
      assert.equal(await find('bad'), undefined)
      assert.equal((await send('POST', `${PATH}/bad/cancel`)).status, 404)
    })

    test('MOD-14 MOD-19: an installation in progress', async () => {
      const url = publish('slow')
      const content = publisher.files.get('slow/encoder.onnx')?.content ?? Buffer.alloc(0)
      publisher.files.set('slow/encoder.onnx', { content, fault: { stallAfter: 10_000, times: 1 } })
      const stalled = publisher.stalled()
      assert.equal((await install({ url })).status, 200)
      await stalled
      const again = await install({ url })
      assert.deepEqual([again.status, again.body.error], [409, 'SPEECH_MODEL_INSTALLING'])
      await waitFor('progress', async () => ((await find('slow'))?.receivedBytes ?? 0) > 0)
      assert.equal((await send('POST', `${PATH}/slow/cancel`)).status, 200)
      publisher.cut()
      assert.equal(await find('slow'), undefined)
      // The next one starts anew.
      await waitFor('the end of the canceled one', async () => (await install({ url })).status === 200)
      assert.equal((await settled('slow')).state, 'installed')
      await send('DELETE', `${PATH}/slow`)
    })

    test('MOD-3 MOD-10 MOD-20: what cannot be installed', async () => {
      const rejected = async (body: object) => {
        const response = await install(body)
        return [response.status, response.body.error, response.body.message]
      }
      const [status, error] = await rejected({ id: 'nothing' })
      assert.deepEqual([status, error], [404, 'SPEECH_MODEL_NOT_FOUND'])
      for (const body of [{}, { id: 'whisper-tiny', url: publisher.url }])
        assert.deepEqual(await rejected(body), [400, 'BAD_REQUEST', 'Either id or url is required'])
      assert.deepEqual(await rejected({ url: `${publisher.url}none` }), [
        400,
        'SPEECH_MODEL_UNREACHABLE',
        `${publisher.url}none answers with the status 404`,
      ])
      publisher.files.set('x.json', { content: Buffer.from('{"id":"x"}') })
      const [, invalid, message] = await rejected({ url: `${publisher.url}x.json` })
      assert.equal(invalid, 'SPEECH_MODEL_INVALID')
      assert.match(String(message), /name is required/)
      assert.deepEqual(
        (await list()).models.filter(({ state }) => state !== 'available'),
        [],
      )
    })

    test('MOD-41: each change leaves one entry in the audit log', async () => {
      const url = publish('audited')
      await install({ url })
      await settled('audited')
      await send('DELETE', `${PATH}/audited`)
      const { body } = await send<{ data: { action: string; target: string; details: object }[] }>(
        'GET',
        '/api/admin/audit?limit=2',
      )
      assert.deepEqual(
        body.data.map(({ action, target, details }) => [action, target, details]),
        [
          ['speech-model.remove', 'audited', {}],
          ['speech-model.install', 'audited', { source: url }],
        ],
      )
    })

    test('the checks list models, languages and failures', async () => {
      const findings = async () => {
        const { body } = await send<{ data: Finding[] }>('GET', '/api/admin/checks')
        return body.data
          .filter(({ part }) => part === 'speech models')
          .map(({ level, text }) => [level, text])
      }
      const [[level, text] = []] = await findings()
      assert.equal(level, 'note')
      assert.match(String(text), /^none is installed; install one/)
      await install({ url: publish('one', 'fr') })
      await settled('one')
      const url = publish('two')
      publisher.files.delete('two/encoder.onnx')
      await install({ url })
      await settled('two')
      assert.deepEqual(await findings(), [
        ['ok', 'one; they recognize fr'],
        ['error', `two: ${publisher.url}two/encoder.onnx answers with the status 404`],
      ])
      await send('DELETE', `${PATH}/one`)
      await send('POST', `${PATH}/two/cancel`)
    })
  })
})

describe('models of the command line', () => {
  const scope = suiteScope()
  let publisher: ModelPublisher
  before(async () => {
    publisher = await startPublisher(scope)
  })

  async function cloudEnv(t: Scope) {
    const { dataDir } = await sqlite.acquire(t)
    return { DATA_DIR: dataDir, AUTH_SECRET: 'a secret for tests that is long enough', LOG_LEVEL: 'silent' }
  }
  const temporaryFolder = async (t: Scope) => {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  const stateOf = async (env: TestCloud['env'], id: string) => {
    const { out } = await cli(env, 'models', 'list', '--json')
    return (JSON.parse(out) as { id: string; state: string }[]).find((model) => model.id === id)?.state
  }
  /** Writes the files of a model into a folder. */
  const write = async (folder: string, manifest: ModelManifest, content = (name: string) => name) => {
    for (const { name } of manifest.files) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content(name))
    }
  }

  test('MOD-41: models list, add and remove', async (t) => {
    const env = await cloudEnv(t)
    const table = await cli(env, 'models', 'list')
    assert.deepEqual([table.code, table.err], [0, ''])
    assert.match(
      table.out,
      /^streaming-zipformer-en +available +streaming-recognizer +en +73 MB +Apache-2.0 /m,
    )
    assert.match(table.out, /^whisper-tiny +available +recognizer +\d+ languages +104 MB +MIT /m)
    publishModel(publisher, 'mine')
    const manifest = publishModel(publisher, 'mine')
    publisher.files.set('mine.json', { content: Buffer.from(JSON.stringify(manifest)) })
    const added = await cli(env, 'models', 'add', `${publisher.url}mine.json`)
    assert.deepEqual(added, {
      code: 0,
      out: 'mine is installed. License: MIT (https://opensource.org/license/mit)\n',
      err: '',
    })
    assert.equal(await stateOf(env, 'mine'), 'installed')
    const again = await cli(env, 'models', 'add', `${publisher.url}mine.json`)
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.match(again.err, /is installed; to install it again, remove it first/)
    assert.equal((await cli(env, 'models', 'remove', 'mine')).code, 0)
    assert.equal(await stateOf(env, 'mine'), undefined)
    const removed = await cli(env, 'models', 'remove', 'mine')
    assert.deepEqual([removed.code, removed.out], [1, ''])
    const cloud = await startCloud(t, { env })
    const root = await createDeveloper(cloud, 'root')
    await cloud.operator.users.setAdministrator(root.id, true, Date.now())
    const { body } = await cloud.request<{ data: { actorId: string; action: string }[] }>(
      'GET',
      '/api/admin/audit',
      { token: root.token },
    )
    assert.deepEqual(
      body.data.map(({ actorId, action }) => [actorId, action]),
      [
        ['operator', 'speech-model.remove'],
        ['operator', 'speech-model.install'],
      ],
    )
  })

  test('MOD-41: a download that fails is repeated', async (t) => {
    const env = await cloudEnv(t)
    const manifest = publishModel(publisher, 'flaky')
    publisher.files.set('flaky.json', { content: Buffer.from(JSON.stringify(manifest)) })
    const tokens = publisher.files.get('flaky/tokens.txt')
    assert.ok(tokens)
    publisher.files.delete('flaky/tokens.txt')
    const failed = await cli(env, 'models', 'add', `${publisher.url}flaky.json`)
    assert.deepEqual([failed.code, failed.out], [1, ''])
    assert.match(failed.err, /flaky\/tokens.txt answers with the status 404/)
    assert.equal(await stateOf(env, 'flaky'), 'failed')
    publisher.files.set('flaky/tokens.txt', tokens)
    publisher.requests.length = 0
    assert.equal((await cli(env, 'models', 'add', `${publisher.url}flaky.json`)).code, 0)
    assert.deepEqual(publisher.requests, ['flaky.json', 'flaky/tokens.txt'])
  })

  test('MOD-40: files of this machine', async (t) => {
    const env = await cloudEnv(t)
    const folder = await temporaryFolder(t)
    const spotter = catalogueModels().find(({ id }) => id === 'keyword-spotter-en')
    assert.ok(spotter)
    await write(folder, spotter)
    // A model of the catalogue, without a manifest.
    assert.equal((await cli(env, 'models', 'add', 'keyword-spotter-en', '--files', folder)).code, 0)
    assert.equal(await stateOf(env, 'keyword-spotter-en'), 'installed')

    // An archive with one folder, a manifest, and entries that are not files of it.
    const manifest: ModelManifest = {
      ...spotter,
      id: 'mine',
      files: spotter.files.map(({ url: _, ...file }) => file),
    }
    const entries = [
      { name: 'pack/model.json', body: JSON.stringify(manifest) },
      { name: '../../escaped.txt', body: 'x' },
      { name: 'pack/test_wavs/0.wav', body: 'x' },
      ...manifest.files.map(({ name }) => ({ name: `pack/${name}`, body: name })),
    ].map(({ name, body }) => ({ header: { name, size: body.length }, body }))
    const archive = join(folder, 'mine.tar.gz')
    await writeFile(archive, gzipSync(await packTar(entries)))
    const added = await cli(env, 'models', 'add', archive)
    assert.deepEqual([added.code, added.err], [0, ''])
    assert.equal(await stateOf(env, 'mine'), 'installed')
    assert.equal((await cli(env, 'models', 'verify')).code, 0)
    // Below the folder that the archive was unpacked into, nothing was written.
    assert.deepEqual(await readdir(join(String(env.DATA_DIR), 'speech-models')), ['copies'])
    assert.deepEqual(await readdir(join(String(env.DATA_DIR), 'speech-models/copies')), [])

    const outcomes: [args: string[], sentence: RegExp][] = [
      [[join(folder, 'none')], /is neither a model of the catalogue nor a file/],
      [['keyword-spotter-en', '--files', join(folder, 'none')], /none cannot be read \(ENOENT\)/],
      [[folder], /There is no model.json in .*; name the model of the catalogue/],
      [['whisper-tiny', '--files', folder], /The file tiny-encoder.int8.onnx cannot be read \(ENOENT\)/],
    ]
    await writeFile(join(folder, 'a.tar.bz2'), 'x')
    outcomes.push([[join(folder, 'a.tar.bz2')], /^Unpack .*a.tar.bz2 first, and name the folder/])
    await writeFile(join(folder, 'broken.tar'), 'x'.repeat(2_000))
    outcomes.push([[join(folder, 'broken.tar')], /broken.tar is damaged, or not a tar file/])
    for (const [args, sentence] of outcomes) {
      const { code, out, err } = await cli(env, 'models', 'add', ...args)
      assert.deepEqual([code, out], [1, ''], args.join(' '))
      assert.match(err, sentence)
    }
    const usage = await cli(env, 'models', 'add', folder, '--files', folder)
    assert.equal(usage.code, 2)
  })

  test('MOD-42: models verify names what is missing or damaged', async (t) => {
    const env = await cloudEnv(t)
    assert.equal((await cli(env, 'models', 'verify')).out, 'No speech models are installed\n')
    const manifest = publishModel(publisher, 'sound')
    publisher.files.set('sound.json', { content: Buffer.from(JSON.stringify(manifest)) })
    assert.equal((await cli(env, 'models', 'add', `${publisher.url}sound.json`)).code, 0)
    assert.deepEqual(await cli(env, 'models', 'verify'), {
      code: 0,
      out: 'sound: every file is right\n',
      err: '',
    })
    const blobs = join(String(env.DATA_DIR), 'blobs/speech-models/sound')
    const [installId = ''] = await readdir(blobs)
    await writeFile(join(blobs, installId, '0'), 'damaged')
    await rm(join(blobs, installId, '3'))
    const { code, out, err } = await cli(env, 'models', 'verify')
    assert.equal(code, 1)
    assert.equal(out, 'sound: encoder.onnx is damaged\nsound: tokens.txt is missing\n')
    assert.match(err, /^Remove the models/)
  })

  test('MOD-44: a backup contains no models', async (t) => {
    const env = await cloudEnv(t)
    const manifest = publishModel(publisher, 'kept')
    publisher.files.set('kept.json', { content: Buffer.from(JSON.stringify(manifest)) })
    assert.equal((await cli(env, 'models', 'add', `${publisher.url}kept.json`)).code, 0)
    await cli(env, 'token', 'ada@example.org')
    const folder = await temporaryFolder(t)
    const file = join(folder, 'cloud.tar')
    const made = JSON.parse((await cli(env, 'backup', '--to', file, '--json')).out) as { files: number }
    assert.equal(made.files, 0)
    assert.equal((await cli(env, 'verify', file)).code, 0)
    const restored = { ...env, DATA_DIR: join(folder, 'restored') }
    const outcome = await cli(restored, 'restore', file)
    assert.equal(outcome.code, 0, outcome.err)
    assert.equal(await stateOf(restored, 'kept'), undefined)
    assert.equal((await cli(restored, 'models', 'verify')).code, 0)
    assert.equal((await cli(restored, 'models', 'add', `${publisher.url}kept.json`)).code, 0)
  })
})
