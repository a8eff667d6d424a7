import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AdminSpeechModels } from '@glasses-cloud/contract'
import { sqlite } from '../../src/db/testing.ts'
import { cli } from '../support/cli.ts'
import { publishModel, startPublisher } from '../support/model-publisher.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const PATH = '/api/admin/speech-models'

test('MOD-12 MOD-13: a cloud that is killed in the middle of a download continues it after its restart', async (t) => {
  const publisher = await startPublisher(t)
  const manifest = publishModel(publisher, 'killed')
  publisher.files.set('model.json', { content: Buffer.from(JSON.stringify(manifest)) })
  const joiner = publisher.files.get('killed/joiner.onnx')?.content ?? Buffer.alloc(0)
  publisher.files.set('killed/joiner.onnx', { content: joiner, fault: { stallAfter: 50_000, times: 1 } })
  const { dataDir } = await sqlite.acquire(t)
  const env = { DATA_DIR: dataDir }
  const first = await spawnCloud(t, { env, from: 'sources' })
  const token = await first.token('root@example.org')
  const root = await first.operator.users.findByEmail('root@example.org')
  await first.operator.users.setAdministrator(String(root?.id), true, Date.now())
  const find = async (cloud: TestCloud) => {
    const { body } = await cloud.request<{ data: AdminSpeechModels }>('GET', PATH, { token })
    return body.data.models.find(({ id }) => id === 'killed')
  }
  const stalled = publisher.stalled()
  const body = { url: `${publisher.url}model.json` }
  assert.equal((await first.request('POST', PATH, { token, body })).status, 200)
  await stalled
  assert.ok(((await find(first))?.receivedBytes ?? 0) >= 60_000)
  await waitFor('the part of the file on the disk', async () => {
    const paths = await readdir(dataDir, { recursive: true })
    const sizes = await Promise.all(
      paths.map((path) =>
        stat(join(dataDir, path)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    return sizes.includes(50_000)
  })
  await first.kill()
  publisher.requests.length = 0
  assert.match((await cli(env, 'models', 'list')).out, /^killed +installing /m)
  assert.equal((await cli(env, 'models', 'verify')).out, 'No speech models are installed\n')

  const second = await spawnCloud(t, { env, from: 'sources' })
  assert.equal((await find(second))?.state, 'installing')
  // The lease of the killed process ends first.
  const installed = await waitFor(
    'the installation',
    async () => {
      const model = await find(second)
      return model?.state === 'installed' && model
    },
    120_000,
  )
  assert.equal(installed.bytes, 200_000)
  const [resumed, ...others] = publisher.requests
  assert.match(String(resumed), /^killed\/joiner.onnx bytes=\d+-$/)
  assert.deepEqual(others, ['killed/tokens.txt'])
  assert.equal((await cli(env, 'models', 'verify')).code, 0)
})
