import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { RestreamOutput } from '@glasses-cloud/contract'
import { suiteScope } from '../support/scope.ts'
import {
  type AppSocket,
  connectCameraGlasses,
  createStreamRig,
  type OutputsResponse,
  StreamApp,
} from '../support/stream-rig.ts'
import type { TestResponse } from '../support/test-cloud.ts'

/** Asserts an error response: its status, code and fields. */
function assertRejected(
  { status, body }: TestResponse<OutputsResponse>,
  expected: number,
  code: string,
): void {
  assert.deepEqual([status, body.error], [expected, code])
  assert.deepEqual(Object.keys(body).sort(), ['error', 'message'])
  assert.ok(body.message)
}

/** Asserts that an output was added and returns its id. */
function assertAdded({ status, body }: TestResponse<OutputsResponse>): string {
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body).sort(), ['message', 'outputId', 'success'])
  assert.equal(body.success, true)
  assert.ok(body.outputId)
  return body.outputId
}

function outputsIn({ status, body }: TestResponse<OutputsResponse>): readonly RestreamOutput[] {
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.outputs)
  assert.equal(body.total, body.outputs.length)
  return body.outputs
}

const providerNotice = '(memory provider: nothing is streamed)'
const uniqueUrl = () => `rtmp://live.example.com/app/sesame-${randomUUID()}`

describe('restream outputs', () => {
  const scope = suiteScope()
  let rig: Awaited<ReturnType<typeof createStreamRig>>
  let app: StreamApp
  let other: StreamApp
  before(async () => {
    rig = await createStreamRig(scope)
    app = await StreamApp.serve(scope, rig.cloud, 'com.restreams')
    other = await StreamApp.serve(scope, rig.cloud, 'com.other')
  })
  /** Connects glasses of a new user and starts a managed stream with `viewer`, by default `app`. */
  async function startStream(viewer = app): Promise<{ id: string; email: string; socket: AppSocket }> {
    const email = `${randomUUID()}@example.com`
    await connectCameraGlasses(scope, rig.cloud, email)
    const socket = await viewer.start(email)
    return { id: await socket.startManagedStream(), email, socket }
  }
  /** Stops a stream, so that its outputs no longer count. */
  async function stopStream({ socket }: { socket: AppSocket }): Promise<void> {
    socket.send({ type: 'managed_stream_stop' })
    await socket.waitForManagedStatus('stopped')
  }

  test('LIM-44: a stream, an app session and the address of a user count together', async () => {
    const stream = await startStream()
    const [hosted] = [...rig.cloud.cloud.sessions.hosted()].filter(({ user }) => user.email === stream.email)
    const headers = { 'x-api-key': app.apiKey, 'x-package-name': app.packageName }
    const session = `${hosted?.session.userSessionId}-${app.packageName}`
    const remaining: number[] = []
    for (const path of [
      `/api/streams/${stream.id}/outputs`,
      `/api/transcripts/${session}?duration=1`,
      `/api/onboarding/status?email=${stream.email.toUpperCase()}&packageName=${app.packageName}`,
    ]) {
      const response = await rig.cloud.request('GET', path, { headers })
      remaining.push(Number(response.headers.get('ratelimit-remaining')))
    }
    const first = remaining[0] ?? 0
    assert.ok(first > 0)
    assert.deepEqual(remaining, [first, first - 1, first - 2])
  })

  test('OUT-1 OUT-11 OUT-17: an output is added and listed with its stream key masked', async () => {
    const stream = await startStream()
    const response = await app.outputs('POST', `${stream.id}/outputs`, {
      url: 'rtmps://live.example.com:444/app/sesame-1?k=sesame',
      name: 'My channel',
    })
    const outputId = assertAdded(response)
    assert.equal(response.body.message, `Output added successfully ${providerNotice}`)
    const nameless = assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl() }))
    const list = await app.outputs('GET', `${stream.id}/outputs`)
    assert.deepEqual(
      outputsIn(list).map((output) => ({ ...output, status: '' })),
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
    assert.deepEqual(rest, { streamId: stream.id, total: 2, maxPerStream: 10, maxPerApp: 10 })
    await stopStream(stream)
  })

  test('OUT-2 OUT-17: an invalid URL or name is rejected', async () => {
    const stream = await startStream()
    for (const body of [undefined, {}, [], 7, { url: 7 }, { url: '' }, { url: null }, { name: 'x' }])
      assertRejected(await app.outputs('POST', `${stream.id}/outputs`, body), 400, 'INVALID_URL')
    for (const url of [
      'http://a/b',
      'rtmp://',
      'rtmp:a',
      ` ${uniqueUrl()}`,
      `${uniqueUrl()}${'x'.repeat(2_100)}`,
    ])
      assertRejected(await app.outputs('POST', `${stream.id}/outputs`, { url }), 400, 'INVALID_URL')
    for (const name of ['', 7, null, 'x'.repeat(101), 'a\nb'])
      assertRejected(
        await app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl(), name }),
        400,
        'BAD_REQUEST',
      )
    assert.deepEqual(outputsIn(await app.outputs('GET', `${stream.id}/outputs`)), [])
    await stopStream(stream)
  })

  test('OUT-3 OUT-4 OUT-5: API key, URL, stream and viewer are checked in this order', async () => {
    const stream = await startStream()
    const path = `/api/streams/${stream.id}/outputs`
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
        const response = await rig.cloud.request<OutputsResponse>(method, at, { headers, body })
        assertRejected(response, 401, 'UNAUTHORIZED')
      }
    }
    assertRejected(await other.outputs('POST', 'snone/outputs', { url: 'http://no' }), 400, 'INVALID_URL')
    assertRejected(
      await other.outputs('POST', 'snone/outputs', { url: uniqueUrl() }),
      404,
      'STREAM_NOT_FOUND',
    )
    assertRejected(await other.outputs('GET', 'snone/outputs'), 404, 'STREAM_NOT_FOUND')
    assertRejected(await other.outputs('DELETE', 'snone/outputs/o1'), 404, 'STREAM_NOT_FOUND')
    assertRejected(
      await other.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl() }),
      403,
      'NOT_A_VIEWER',
    )
    assertRejected(await other.outputs('GET', `${stream.id}/outputs`), 403, 'NOT_A_VIEWER')
    await stopStream(stream)
    assertRejected(await app.outputs('GET', `${stream.id}/outputs`), 404, 'STREAM_NOT_FOUND')
  })

  test('OUT-6 OUT-8 OUT-9: 50 parallel posts against 9 outputs leave exactly 10', async () => {
    const stream = await startStream()
    for (let n = 0; n < 9; n += 1)
      assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl() }))
    rig.provider.pause('addOutput')
    const posts = Array.from({ length: 50 }, () =>
      app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl() }),
    )
    // All but the request that reserved the last place are answered while the provider request is pending.
    const first = await Promise.any(posts)
    assertRejected(first, 409, 'MAX_OUTPUTS_REACHED')
    rig.provider.resume('addOutput')
    const statuses = (await Promise.all(posts)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 409).length, 49)
    const outputs = outputsIn(await app.outputs('GET', `${stream.id}/outputs`))
    assert.equal(outputs.length, 10)
    await stopStream(stream)
  })

  test('OUT-8: a URL equivalent to an existing output is rejected', async () => {
    const stream = await startStream()
    assertAdded(
      await app.outputs('POST', `${stream.id}/outputs`, { url: 'rtmp://Live.example.com/app/sesame' }),
    )
    for (const url of ['rtmp://live.example.com:1935/app/sesame', 'RTMP://live.example.com/app/sesame/'])
      assertRejected(await app.outputs('POST', `${stream.id}/outputs`, { url }), 409, 'DUPLICATE_URL')
    await stopStream(stream)
  })

  test('OUT-7: an app has at most ten outputs across all streams', async () => {
    const [one, two] = [await startStream(), await startStream()]
    const guest = await other.start(one.email)
    await guest.startManagedStream()
    for (let n = 0; n < 10; n += 1)
      assertAdded(await app.outputs('POST', `${n % 2 ? one.id : two.id}/outputs`, { url: uniqueUrl() }))
    assertRejected(
      await app.outputs('POST', `${one.id}/outputs`, { url: uniqueUrl() }),
      409,
      'MAX_APP_OUTPUTS_REACHED',
    )
    assertAdded(await other.outputs('POST', `${one.id}/outputs`, { url: uniqueUrl() }))
    await stopStream(two)
    assertAdded(await app.outputs('POST', `${one.id}/outputs`, { url: uniqueUrl() }))
    await stopStream(one)
    guest.send({ type: 'managed_stream_stop' })
    await guest.waitForManagedStatus('stopped')
  })

  test('OUT-10: a provider that rejects the output', async () => {
    const stream = await startStream()
    rig.provider.failing.add('addOutput')
    const url = uniqueUrl()
    for (let n = 0; n < 12; n += 1)
      assertRejected(
        await app.outputs('POST', `${stream.id}/outputs`, { url }),
        502,
        'STREAMING_PROVIDER_ERROR',
      )
    rig.provider.failing.clear()
    assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url }))
    await stopStream(stream)
  })

  test('OUT-12: the status of an output is updated in lists and sent to the viewers', async () => {
    const stream = await startStream()
    assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl(), name: 'good' }))
    const url = 'rtmp://invalid.example.com/app/sesame'
    assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url, name: 'bad' }))
    const now = outputsIn(await app.outputs('GET', `${stream.id}/outputs`))
    assert.equal(now[1]?.status, 'connecting')
    const update = await stream.socket.waitForMessage('managed_stream_status', ({ outputs }) => {
      const statuses = (outputs as { status: string }[] | undefined)?.map(({ status }) => status)
      return statuses?.join() === 'active,error'
    })
    assert.equal((update.outputs as { url: string }[])[0]?.url, 'rtmp://live.example.com/app/****')
    const statuses = async () =>
      outputsIn(await app.outputs('GET', `${stream.id}/outputs`)).map(({ status, error }) => [status, error])
    assert.deepEqual(await statuses(), [
      ['active', null],
      ['error', 'The target cannot be reached'],
    ])
    rig.provider.hidesOutputs = true
    assert.deepEqual(await statuses(), [
      ['unknown', null],
      ['unknown', null],
    ])
    rig.provider.hidesOutputs = false
    rig.provider.failing.add('listOutputs')
    assert.equal((await statuses())[0]?.[0], 'unknown')
    rig.provider.failing.clear()
    rig.provider.outputOverride = { status: 'error', error: 'rtmp://live.example.com/app/sesame is down' }
    assert.deepEqual((await statuses())[0], ['error', 'rtmp://live.example.com/app/**** is down'])
    rig.provider.outputOverride = undefined
    await stopStream(stream)
  })

  test('OUT-13 OUT-14: only the app that added an output removes it; a failed removal keeps it', async () => {
    const stream = await startStream()
    const guest = await other.start(stream.email)
    await guest.startManagedStream()
    const outputId = assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl() }))
    assertRejected(await app.outputs('DELETE', `${stream.id}/outputs/onone`), 404, 'OUTPUT_NOT_FOUND')
    assertRejected(await other.outputs('DELETE', `${stream.id}/outputs/${outputId}`), 403, 'NOT_AUTHORIZED')
    rig.provider.failing.add('removeOutput')
    assertRejected(
      await app.outputs('DELETE', `${stream.id}/outputs/${outputId}`),
      502,
      'STREAMING_PROVIDER_ERROR',
    )
    rig.provider.failing.clear()
    assert.equal(outputsIn(await app.outputs('GET', `${stream.id}/outputs`)).length, 1)
    const removed = await app.outputs('DELETE', `${stream.id}/outputs/${outputId}`)
    assert.deepEqual(
      [removed.status, removed.body],
      [200, { success: true, message: `Output removed successfully ${providerNotice}` }],
    )
    assertRejected(await app.outputs('DELETE', `${stream.id}/outputs/${outputId}`), 404, 'OUTPUT_NOT_FOUND')
    guest.send({ type: 'managed_stream_stop' })
    await stopStream(stream)
  })

  test('OUT-15: the outputs of an app that stops viewing are removed', async () => {
    const stream = await startStream()
    const guest = await other.start(stream.email)
    await guest.startManagedStream()
    assertAdded(
      await other.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl(), name: "the guest's" }),
    )
    const ownOutput = assertAdded(await app.outputs('POST', `${stream.id}/outputs`, { url: uniqueUrl() }))
    guest.send({ type: 'managed_stream_stop' })
    await stream.socket.waitForMessage(
      'managed_stream_status',
      ({ outputs }) => (outputs as unknown[] | undefined)?.length === 1,
    )
    assert.deepEqual(
      outputsIn(await app.outputs('GET', `${stream.id}/outputs`)).map(({ outputId }) => outputId),
      [ownOutput],
    )
    await stopStream(stream)
  })

  test('OUT-16: the log of all tests above contains no stream key', () => {
    const { logged } = rig.cloud
    assert.ok(logged.some(({ msg }) => msg === 'streams: provider failed'))
    assert.ok(logged.some(({ code }) => code === 'DUPLICATE_URL'))
    assert.doesNotMatch(JSON.stringify(logged), /sesame/)
  })
})
