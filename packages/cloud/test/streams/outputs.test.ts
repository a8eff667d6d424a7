import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { RestreamOutput } from '@glasses-cloud/contract'
import {
  type AppSocket,
  connectCameraGlasses,
  createStreamRig,
  type OutputsAnswer,
  StreamApp,
} from '../support/stream-rig.ts'
import { suiteScope, type TestAnswer } from '../support/test-cloud.ts'

/** Checks the whole of a refusal. */
function refused({ status, body }: TestAnswer<OutputsAnswer>, wanted: number, code: string): void {
  assert.deepEqual([status, body.error], [wanted, code])
  assert.deepEqual(Object.keys(body).sort(), ['error', 'message'])
  assert.ok(body.message)
}

/** The id of an output that was added. */
function added({ status, body }: TestAnswer<OutputsAnswer>): string {
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body).sort(), ['message', 'outputId', 'success'])
  assert.equal(body.success, true)
  assert.ok(body.outputId)
  return body.outputId
}

function listed({ status, body }: TestAnswer<OutputsAnswer>): readonly RestreamOutput[] {
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.outputs)
  assert.equal(body.total, body.outputs.length)
  return body.outputs
}

const notice = '(memory provider: nothing is streamed)'
const anyUrl = () => `rtmp://live.example.com/app/sesame-${randomUUID()}`

describe('restream outputs', () => {
  const scope = suiteScope()
  let world: Awaited<ReturnType<typeof createStreamRig>>
  let app: StreamApp
  let other: StreamApp
  before(async () => {
    world = await createStreamRig(scope)
    app = await StreamApp.serve(scope, world.cloud, 'com.restreams')
    other = await StreamApp.serve(scope, world.cloud, 'com.other')
  })
  /** A new wearer's stream that the app views, or whichever is named. */
  async function stream(viewer = app): Promise<{ id: string; email: string; socket: AppSocket }> {
    const email = `${randomUUID()}@example.com`
    await connectCameraGlasses(scope, world.cloud, email)
    const socket = await viewer.start(email)
    return { id: await socket.startManagedStream(), email, socket }
  }
  /** Ends a stream, so that its outputs do not count any more. */
  async function end({ socket }: { socket: AppSocket }): Promise<void> {
    socket.send({ type: 'managed_stream_stop' })
    await socket.waitForManagedStatus('stopped')
  }

  test('OUT-1 OUT-11 OUT-17: an output is added and listed, its key masked', async () => {
    const here = await stream()
    const answer = await app.outputs('POST', `${here.id}/outputs`, {
      url: 'rtmps://live.example.com:444/app/sesame-1?k=sesame',
      name: 'My channel',
    })
    const outputId = added(answer)
    assert.equal(answer.body.message, `Output added successfully ${notice}`)
    const nameless = added(await app.outputs('POST', `${here.id}/outputs`, { url: anyUrl() }))
    const list = await app.outputs('GET', `${here.id}/outputs`)
    assert.deepEqual(
      listed(list).map((output) => ({ ...output, status: '' })),
      [
        {
          outputId,
          url: 'rtmps://live.example.com:444/app/****?****',
          name: 'My channel',
          addedBy: app.packageName,
          status: '',
          error: null,
        },
        {
          outputId: nameless,
          url: 'rtmp://live.example.com/app/****',
          name: 'live.example.com',
          addedBy: app.packageName,
          status: '',
          error: null,
        },
      ],
    )
    const { outputs: _, ...rest } = list.body
    assert.deepEqual(rest, { streamId: here.id, total: 2, maxPerStream: 10, maxPerApp: 10 })
    await end(here)
  })

  test('OUT-2 OUT-17: an address or a name that is none is refused', async () => {
    const here = await stream()
    for (const body of [undefined, {}, [], 7, { url: 7 }, { url: '' }, { url: null }, { name: 'x' }])
      refused(await app.outputs('POST', `${here.id}/outputs`, body), 400, 'INVALID_URL')
    for (const url of ['http://a/b', 'rtmp://', 'rtmp:a', ` ${anyUrl()}`, `${anyUrl()}${'x'.repeat(2_100)}`])
      refused(await app.outputs('POST', `${here.id}/outputs`, { url }), 400, 'INVALID_URL')
    for (const name of ['', 7, null, 'x'.repeat(101), 'a\nb'])
      refused(await app.outputs('POST', `${here.id}/outputs`, { url: anyUrl(), name }), 400, 'BAD_REQUEST')
    assert.deepEqual(listed(await app.outputs('GET', `${here.id}/outputs`)), [])
    await end(here)
  })

  test('OUT-3 OUT-4 OUT-5: key before URL before stream before viewer', async () => {
    const here = await stream()
    const path = `/api/streams/${here.id}/outputs`
    const good = { 'x-api-key': app.apiKey, 'x-package-name': app.packageName }
    for (const headers of [
      {},
      { 'x-api-key': app.apiKey },
      { ...good, 'x-package-name': other.packageName },
      { ...good, 'x-api-key': `${app.apiKey}x` },
    ] as Record<string, string>[]) {
      for (const [method, at] of [
        ['POST', path],
        ['GET', path],
        ['DELETE', `${path}/o1`],
      ] as const) {
        const body = method === 'POST' ? { url: 'http://no' } : undefined
        const answer = await world.cloud.request<OutputsAnswer>(method, at, { headers, body })
        refused(answer, 401, 'UNAUTHORIZED')
      }
    }
    refused(await other.outputs('POST', 'snone/outputs', { url: 'http://no' }), 400, 'INVALID_URL')
    refused(await other.outputs('POST', 'snone/outputs', { url: anyUrl() }), 404, 'STREAM_NOT_FOUND')
    refused(await other.outputs('GET', 'snone/outputs'), 404, 'STREAM_NOT_FOUND')
    refused(await other.outputs('DELETE', 'snone/outputs/o1'), 404, 'STREAM_NOT_FOUND')
    refused(await other.outputs('POST', `${here.id}/outputs`, { url: anyUrl() }), 403, 'NOT_A_VIEWER')
    refused(await other.outputs('GET', `${here.id}/outputs`), 403, 'NOT_A_VIEWER')
    await end(here)
    refused(await app.outputs('GET', `${here.id}/outputs`), 404, 'STREAM_NOT_FOUND')
  })

  test('OUT-6 OUT-8 OUT-9: 50 parallel posts against 9 outputs leave exactly 10', async () => {
    const here = await stream()
    for (let n = 0; n < 9; n += 1) added(await app.outputs('POST', `${here.id}/outputs`, { url: anyUrl() }))
    world.provider.hold('addOutput')
    const posts = Array.from({ length: 50 }, () =>
      app.outputs('POST', `${here.id}/outputs`, { url: anyUrl() }),
    )
    // All but the one that has the last place are answered while the provider is still asked.
    const first = await Promise.any(posts)
    refused(first, 409, 'MAX_OUTPUTS_REACHED')
    world.provider.letGo('addOutput')
    const statuses = (await Promise.all(posts)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 409).length, 49)
    const outputs = listed(await app.outputs('GET', `${here.id}/outputs`))
    assert.equal(outputs.length, 10)
    await end(here)
  })

  test('OUT-8: an address that is an output already is refused, however it is written', async () => {
    const here = await stream()
    added(await app.outputs('POST', `${here.id}/outputs`, { url: 'rtmp://Live.example.com/app/sesame' }))
    for (const url of ['rtmp://live.example.com:1935/app/sesame', 'RTMP://live.example.com/app/sesame/'])
      refused(await app.outputs('POST', `${here.id}/outputs`, { url }), 409, 'DUPLICATE_URL')
    await end(here)
  })

  test('OUT-7: an app has ten outputs across the streams of all users', async () => {
    const [one, two] = [await stream(), await stream()]
    const guest = await other.start(one.email)
    await guest.startManagedStream()
    for (let n = 0; n < 10; n += 1)
      added(await app.outputs('POST', `${n % 2 ? one.id : two.id}/outputs`, { url: anyUrl() }))
    refused(await app.outputs('POST', `${one.id}/outputs`, { url: anyUrl() }), 409, 'MAX_APP_OUTPUTS_REACHED')
    added(await other.outputs('POST', `${one.id}/outputs`, { url: anyUrl() }))
    await end(two)
    added(await app.outputs('POST', `${one.id}/outputs`, { url: anyUrl() }))
    await end(one)
    guest.send({ type: 'managed_stream_stop' })
    await guest.waitForManagedStatus('stopped')
  })

  test('OUT-10: what the provider does not take is 502, and takes no place', async () => {
    const here = await stream()
    world.provider.failing.add('addOutput')
    const url = anyUrl()
    for (let n = 0; n < 12; n += 1)
      refused(await app.outputs('POST', `${here.id}/outputs`, { url }), 502, 'STREAMING_PROVIDER_ERROR')
    world.provider.failing.clear()
    added(await app.outputs('POST', `${here.id}/outputs`, { url }))
    await end(here)
  })

  test('OUT-12: the status follows the output, in lists and to the viewers', async () => {
    const here = await stream()
    added(await app.outputs('POST', `${here.id}/outputs`, { url: anyUrl(), name: 'good' }))
    const url = 'rtmp://invalid.example.com/app/sesame'
    added(await app.outputs('POST', `${here.id}/outputs`, { url, name: 'bad' }))
    const now = listed(await app.outputs('GET', `${here.id}/outputs`))
    assert.equal(now[1]?.status, 'connecting')
    const told = await here.socket.waitForMessage('managed_stream_status', ({ outputs }) => {
      const statuses = (outputs as { status: string }[] | undefined)?.map(({ status }) => status)
      return statuses?.join() === 'active,error'
    })
    assert.equal((told.outputs as { url: string }[])[0]?.url, 'rtmp://live.example.com/app/****')
    const statuses = async () =>
      listed(await app.outputs('GET', `${here.id}/outputs`)).map(({ status, error }) => [status, error])
    assert.deepEqual(await statuses(), [
      ['active', null],
      ['error', 'The target cannot be reached'],
    ])
    world.provider.silent = true
    assert.deepEqual(await statuses(), [
      ['unknown', null],
      ['unknown', null],
    ])
    world.provider.silent = false
    world.provider.failing.add('listOutputs')
    assert.equal((await statuses())[0]?.[0], 'unknown')
    world.provider.failing.clear()
    world.provider.said = { status: 'error', error: 'rtmp://live.example.com/app/sesame is down' }
    assert.deepEqual((await statuses())[0], ['error', 'rtmp://live.example.com/app/**** is down'])
    world.provider.said = undefined
    await end(here)
  })

  test('OUT-13 OUT-14: only who added an output removes it; what the provider fails to remove stays', async () => {
    const here = await stream()
    const guest = await other.start(here.email)
    await guest.startManagedStream()
    const outputId = added(await app.outputs('POST', `${here.id}/outputs`, { url: anyUrl() }))
    refused(await app.outputs('DELETE', `${here.id}/outputs/onone`), 404, 'OUTPUT_NOT_FOUND')
    refused(await other.outputs('DELETE', `${here.id}/outputs/${outputId}`), 403, 'NOT_AUTHORIZED')
    world.provider.failing.add('removeOutput')
    refused(await app.outputs('DELETE', `${here.id}/outputs/${outputId}`), 502, 'STREAMING_PROVIDER_ERROR')
    world.provider.failing.clear()
    assert.equal(listed(await app.outputs('GET', `${here.id}/outputs`)).length, 1)
    const removed = await app.outputs('DELETE', `${here.id}/outputs/${outputId}`)
    assert.deepEqual(
      [removed.status, removed.body],
      [200, { success: true, message: `Output removed successfully ${notice}` }],
    )
    refused(await app.outputs('DELETE', `${here.id}/outputs/${outputId}`), 404, 'OUTPUT_NOT_FOUND')
    guest.send({ type: 'managed_stream_stop' })
    await end(here)
  })

  test('OUT-15: with an app that leaves go its outputs', async () => {
    const here = await stream()
    const guest = await other.start(here.email)
    await guest.startManagedStream()
    added(await other.outputs('POST', `${here.id}/outputs`, { url: anyUrl(), name: "the guest's" }))
    const mine = added(await app.outputs('POST', `${here.id}/outputs`, { url: anyUrl() }))
    guest.send({ type: 'managed_stream_stop' })
    await here.socket.waitForMessage(
      'managed_stream_status',
      ({ outputs }) => (outputs as unknown[] | undefined)?.length === 1,
    )
    assert.deepEqual(
      listed(await app.outputs('GET', `${here.id}/outputs`)).map(({ outputId }) => outputId),
      [mine],
    )
    await end(here)
  })

  test('OUT-16: no stream key is in the log, whatever was done so far', () => {
    const { logged } = world.cloud
    assert.ok(logged.some(({ msg }) => msg === 'streams: provider failed'))
    assert.ok(logged.some(({ code }) => code === 'DUPLICATE_URL'))
    assert.doesNotMatch(JSON.stringify(logged), /sesame/)
  })
})
