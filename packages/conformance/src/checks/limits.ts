import { delay, systemClock } from '@glasses-cloud/phone'
import type { Check } from '../check.ts'
import { expect, isRecord } from '../expect.ts'

const SOURCE = 'Contract: Limits'
const DISPLAY_PERIOD_MS = 200
const UPDATES = 12
const UPDATE_PERIOD_MS = 50
/** Two display events may arrive closer together than they were sent. */
const JITTER_MS = 100
const MESSAGES_PER_SECOND = 50
const BURST = 200
const SETTLE_MS = 500
const REQUESTS_PER_MINUTE = 100
const BATCH = 20

/** Runs while the app does. */
export const paceCheck: Check = {
  id: 'limits.display',
  title: 'Display updates reach the glasses at most every 200 ms, and the last one always',
  source: SOURCE,
  changes: "starts the kit's app, and other running apps again at the end",
  run: async (context) => {
    const socket = await context.appSocket()
    const glasses = await context.glasses()
    const arrivals: number[] = []
    const onDisplay = () => void arrivals.push(performance.now())
    glasses.on('displayEvent', onDisplay)
    context.after(() => glasses.off('displayEvent', onDisplay))
    for (let update = 1; update <= UPDATES; update++) {
      const layout = { layoutType: 'text_wall', text: `Update ${update} of ${UPDATES}` }
      socket.send({ type: 'display_event', view: 'main', layout })
      await delay(systemClock, UPDATE_PERIOD_MS)
    }
    await glasses.waitForDisplay(`Update ${UPDATES} of`)
    const spanMs = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)
    const allowed = Math.floor((spanMs + JITTER_MS) / DISPLAY_PERIOD_MS) + 1
    expect(
      arrivals.length <= allowed,
      `${arrivals.length} display updates within ${Math.round(spanMs)} ms, more than ${allowed}`,
    )
  },
}

/** Run last. */
export const limitChecks: readonly Check[] = [
  {
    id: 'limits.messages',
    title: 'Of a burst of messages, at most 50 per second are processed, and the socket stays open',
    source: SOURCE,
    changes: 'opens the glasses socket, which disconnects other glasses of the user',
    run: async (context) => {
      const socket = await context.openGlasses()
      await socket.next('connection_ack')
      const before = socket.frames.length
      const startedAt = performance.now()
      for (let sent = 0; sent < BURST; sent++) socket.send({ type: 'connection_init' })
      await delay(systemClock, SETTLE_MS)
      await socket.pingFrame()
      const seconds = (performance.now() - startedAt) / 1000
      const processed = socket.frames.slice(before).filter(({ type }) => type === 'connection_ack').length
      const allowed = Math.ceil(MESSAGES_PER_SECOND * (1 + seconds))
      expect(processed <= allowed, `${processed} of ${BURST} messages were processed, more than ${allowed}`)
      expect(processed > 0, 'No message of the burst was processed')
      expect(socket.isOpen, 'The socket was closed')
    },
  },
  {
    id: 'limits.requests',
    title: 'More than 100 requests of a user in a minute are rejected with 429',
    source: SOURCE,
    changes: 'uses up the rate limit of the user for a minute',
    lasting: true,
    run: async (context) => {
      await context.endShared()
      for (let sent = 0; sent <= REQUESTS_PER_MINUTE; sent += BATCH) {
        const answers = await Promise.all(
          Array.from({ length: BATCH }, () => context.rest.get('/api/account/me', { expectsLimit: true })),
        )
        const rejected = answers.find(({ status }) => status === 429)
        if (rejected === undefined) continue
        expect(
          isRecord(rejected.body) && typeof rejected.body.error === 'string',
          'The response with status 429 has no { error }',
        )
        return
      }
      throw new Error(`No request was rejected after ${REQUESTS_PER_MINUTE}`)
    },
  },
]
