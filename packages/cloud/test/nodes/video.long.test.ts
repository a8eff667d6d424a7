import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { PLACE_LEASE_MS } from '../../src/features/video/output-places.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { connectCameraGlasses, type OutputsResponse, StreamApp } from '../support/stream-rig.ts'
import { type LocalCloud, spawnCloud, type TestCloud } from '../support/test-cloud.ts'

describe('streams on two nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let one: LocalCloud
    let two: LocalCloud

    before(async () => {
      ;[one, two] = (await startNodes(scope, database, 2, { env: { STREAM_PROVIDER: 'memory' } })) as [
        LocalCloud,
        LocalCloud,
      ]
    })

    /** Starts a managed stream of an app for a user whose glasses connect to a node. */
    async function startStream(scope: Scope, node: TestCloud, app: StreamApp, email: string) {
      await connectCameraGlasses(scope, node, email)
      const socket = await app.start(email)
      return { socket, id: await socket.startManagedStream() }
    }

    /** Adds an output through a node; returns the status and the code of an error. */
    async function addOutput(node: TestCloud, app: StreamApp, streamId: string) {
      const { status, body } = await node.request<OutputsResponse>(
        'POST',
        `/api/streams/${streamId}/outputs`,
        {
          headers: { 'x-api-key': app.apiKey, 'x-package-name': app.packageName },
          body: { url: `rtmp://tv.example/app/${randomUUID()}` },
        },
      )
      return [status, body.error].join(' ').trim()
    }

    test('OUT-7 SHARE-51: an app has ten outputs on all nodes together, however parallel its requests are', async (t) => {
      const app = await StreamApp.serve(t, one, 'com.limited')
      const ann = await startStream(t, one, app, 'ann-limited@example.com')
      const bob = await startStream(t, two, app, 'bob-limited@example.com')
      assert.deepEqual([one.cloud.sessions.size > 0, two.cloud.sessions.size > 0], [true, true])
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, n) => addOutput(n % 2 ? one : two, app, n % 4 < 2 ? ann.id : bob.id)),
      )
      assert.equal(outcomes.filter((outcome) => outcome === '200').length, 10)
      for (const outcome of outcomes) assert.match(outcome, /^(200|409 MAX_(APP_)?OUTPUTS_REACHED)$/)
      const path = `${ann.id}/outputs`
      const ofAnn = (await app.outputs('GET', path)).body.total ?? 0
      const ofBob = (await app.outputs('GET', `${bob.id}/outputs`)).body.total ?? 0
      assert.equal(ofAnn + ofBob, 10)

      // Places are released with the output and with the stream.
      const ending = ofAnn > 0 ? ann : bob
      ending.socket.send({ type: 'managed_stream_stop' })
      await ending.socket.waitForManagedStatus('stopped')
      const remaining = ending === ann ? bob : ann
      while ((await addOutput(one, app, remaining.id)) !== '200');
      remaining.socket.send({ type: 'managed_stream_stop' })
      await remaining.socket.waitForManagedStatus('stopped')
      while ((await placesOf(app)).length > 0);
    })

    test('SHARE-51: the places of a node that was killed are free after their lease', async (t) => {
      const killed = await spawnCloud(t, { env: { ...one.env, PORT: String(await findFreePort()) } })
      const app = await StreamApp.serve(t, one, 'com.survivor')
      const lost = await startStream(t, killed, app, 'lost@example.com')
      const kept = await startStream(t, two, app, 'kept@example.com')
      for (let n = 0; n < 10; n += 1) assert.equal(await addOutput(two, app, lost.id), '200')
      assert.equal(await addOutput(two, app, kept.id), '409 MAX_APP_OUTPUTS_REACHED')
      await killed.kill()
      assert.equal(await addOutput(two, app, kept.id), '409 MAX_APP_OUTPUTS_REACHED')
      // The lease passes: nobody renews the places of the killed node.
      await one.cloud.db
        .updateTable('output_places')
        .set((e) => ({ renewed_at: e('renewed_at', '-', PLACE_LEASE_MS) }))
        .where('package_name', '=', app.packageName)
        .execute()
      for (let n = 0; n < 10; n += 1) assert.equal(await addOutput(one, app, kept.id), '200')
      assert.equal(await addOutput(one, app, kept.id), '409 MAX_OUTPUTS_REACHED')
    })

    function placesOf({ packageName }: StreamApp) {
      const places = one.cloud.db.selectFrom('output_places').select('id')
      return places.where('package_name', '=', packageName).execute()
    }

    test('STR-126: outputs are added, listed and removed through a node that does not have the stream', async (t) => {
      const email = 'ann@example.com'
      await connectCameraGlasses(t, one, email)
      const app = await StreamApp.serve(t, one, 'com.outputs')
      const socket = await app.start(email)
      const streamId = await socket.startManagedStream()
      const headers = { 'x-api-key': app.apiKey, 'x-package-name': app.packageName }
      const outputs = (method: string, path: string, body?: unknown) =>
        two.request<OutputsResponse>(method, `/api/streams/${path}`, { headers, body })
      const added = await outputs('POST', `${streamId}/outputs`, { url: 'rtmp://tv.example/app/key' })
      assert.equal(added.status, 200, JSON.stringify(added.body))
      const listed = await outputs('GET', `${streamId}/outputs`)
      assert.deepEqual(
        listed.body.outputs?.map(({ outputId }) => outputId),
        [added.body.outputId],
      )
      const removed = await outputs('DELETE', `${streamId}/outputs/${added.body.outputId}`)
      assert.equal(removed.status, 200)
      assert.equal((await app.outputs('GET', `${streamId}/outputs`)).body.total, 0)
      socket.send({ type: 'managed_stream_stop' })
      await socket.waitForManagedStatus('stopped')
      const { status, body } = await outputs('GET', `${streamId}/outputs`)
      assert.deepEqual([status, body.error], [404, 'STREAM_NOT_FOUND'])
    })
  })
})
