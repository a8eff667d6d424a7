import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { EvenG1Model } from '@glasses-cloud/device-models'
import { type Clock, Phone } from '@glasses-cloud/phone'
import { EvenG1 } from '@glasses-cloud/phone/even-g1'
import type { Timer } from '../../src/time/index.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { startAppServer } from '../support/app-server.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.words'
const email = 'wearer@example.org'

/** Longer than the pause that the cloud keeps between two updates of the display. */
const PAUSE_MS = 400

test('half of all pages reach both arms within 150 ms, and of 50 messages the last stays', async (t) => {
  const time = new VirtualClock(Date.now())
  const cloud = await startCloud(t, { overrides: { clock: time } })
  const server = await startAppServer(t, packageName)
  server.apiKey = (await cloud.registerApp({ packageName, publicUrl: server.url })).apiKey
  const clock: Clock = {
    now: () => time.now(),
    setTimeout: (run, afterMs) => time.after(afterMs, run),
    clearTimeout: (timer) => (timer as Timer | undefined)?.cancel(),
  }
  const model = new EvenG1Model(clock)
  const confirmed = new Map<string, number>()
  const glasses = new (class extends EvenG1 {
    override async show(page: Parameters<EvenG1['show']>[0]): Promise<boolean> {
      const isShown = await super.show(page)
      if (isShown && page.kind === 'text') confirmed.set(page.lines.join(' '), clock.now())
      return isShown
    }
  })({ left: model.left, right: model.right, clock })
  const phone = new Phone(glasses, { url: cloud.url, token: await cloud.token(email), clock })
  /** Lets time pass, by default a millisecond at a time, until something has happened. */
  const passUntil = async (what: string, hasHappened: () => boolean, stepMs = 1) => {
    const deadline = performance.now() + 40_000
    while (!hasHappened()) {
      if (performance.now() > deadline) throw new Error(`${what} did not happen`)
      time.advance(stepMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  t.after(async () => {
    let isEnded = false
    const ended = phone.disconnect().finally(() => {
      isEnded = true
    })
    await passUntil('the end', () => isEnded)
    await ended
  })

  const connected = phone.connect()
  await passUntil('the link to both arms', () => phone.link.state === 'connected')
  await connected
  await phone.api.install(packageName)
  await phone.api.startApp(packageName)
  const send = (text: string) =>
    server.sockets[0]?.send(
      JSON.stringify({
        type: 'display_event',
        packageName,
        sessionId: `${email}-${packageName}`,
        view: 'main',
        layout: { layoutType: 'text_wall', text },
      }),
    )
  send('ready')
  await passUntil('the first words', () => confirmed.has('ready'))

  const delays: number[] = []
  for (let index = 0; index < 50; index++) {
    const end = clock.now() + PAUSE_MS
    await passUntil('the pause', () => clock.now() >= end, 10)
    const text = `${index} ${'words that are spoken '.repeat(1 + (index % 5) * 3)}`.trim()
    const key = () => [...confirmed.keys()].find((shown) => shown.startsWith(`${index} `))
    const sentAt = clock.now()
    const shown = once(phone, 'page', { signal: AbortSignal.timeout(20_000) })
    send(text)
    await shown
    await passUntil('the acknowledgements', () => key() !== undefined)
    delays.push((confirmed.get(key() ?? '') ?? Number.NaN) - sentAt)
  }
  delays.sort((a, b) => a - b)
  const [median = Number.NaN, last = Number.NaN] = [delays[25], delays.at(-1)]
  assert.ok(median < 150 && last < 200, `median ${median} ms, longest ${last} ms`)

  const before = model.arms.map(({ shown }) => shown.length)
  for (let index = 0; index < 50; index++) send(`burst ${index}`)
  await passUntil('the newest page', () => confirmed.has('burst 49'))
  for (const [index, { shown }] of model.arms.entries()) {
    const burst = shown.slice(before[index])
    assert.equal(burst.at(-1), 'burst 49')
    assert.ok(burst.length <= 5, `${burst}`)
  }
  assert.ok(model.areLensesEqual)
})
