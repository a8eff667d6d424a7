import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { SpeechModelMissingError } from '../../src/features/speech-models/index.ts'
import { createDeveloper } from '../support/developer.ts'
import { startNodes } from '../support/local-nodes.ts'
import { publishModel, sha256Of, startPublisher } from '../support/model-publisher.ts'
import { redisMissing } from '../support/redis.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

const PATH = '/api/admin/speech-models'

const modelsOf = ({ cloud }: LocalCloud) => cloud.features.speechModels.installedModels

describe('speech models on three nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('MOD-10 MOD-14 MOD-32: one node installs a model, all use it, and none after its removal', async (t) => {
      const nodes = await startNodes(t, database, 3)
      const [one, two, three] = nodes as [LocalCloud, LocalCloud, LocalCloud]
      const publisher = await startPublisher(t)
      const manifest = publishModel(publisher, 'shared')
      publisher.files.set('model.json', { content: Buffer.from(JSON.stringify(manifest)) })
      const root = await createDeveloper(one, 'root')
      await one.operator.users.setAdministrator(root.id, true, Date.now())
      /** Resolves on each node after the next change. */
      const changed = () =>
        Promise.all(
          nodes.map((node) => {
            const { promise, resolve } = Promise.withResolvers<void>()
            t.after(modelsOf(node).onChange(resolve))
            return promise
          }),
        )

      const installed = changed()
      const body = { url: `${publisher.url}model.json` }
      const statuses = await Promise.all(
        nodes.map(async (node) => (await node.request('POST', PATH, { token: root.token, body })).status),
      )
      assert.deepEqual(statuses.sort(), [200, 409, 409])
      await installed
      for (const node of nodes) {
        assert.deepEqual(
          modelsOf(node)
            .list()
            .map(({ id }) => id),
          ['shared'],
        )
        const folder = await modelsOf(node).folderOf('shared')
        for (const { name, sha256 } of manifest.files)
          assert.equal(sha256Of(await readFile(join(folder, name))), sha256)
      }
      const downloads = publisher.requests.filter((each) => each.startsWith('shared/'))
      assert.equal(downloads.length, manifest.files.length)

      const removed = changed()
      assert.equal((await two.request('DELETE', `${PATH}/shared`, { token: root.token })).status, 200)
      await removed
      for (const node of [one, three]) {
        assert.deepEqual(modelsOf(node).list(), [])
        await assert.rejects(modelsOf(node).folderOf('shared'), SpeechModelMissingError)
      }
    })
  })
})
