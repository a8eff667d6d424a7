import type { AppSession } from '@mentra/sdk'
import { log } from './log.ts'
import { NotConfigured, type Step, type Stop } from './step.ts'

/** One wearer's way through the steps: each press of the button `next` takes the next one. */
export class Tour {
  readonly #stop: Stop
  readonly #steps: readonly Step[]
  #next = 0
  #underWay = false

  constructor(stop: Stop, steps: readonly Step[]) {
    this.#stop = stop
    this.#steps = steps
    stop.session.events.onButtonPress(({ buttonId, pressType }) => {
      if (buttonId === 'next' && pressType === 'short') void this.#takeStep()
    })
  }

  async #takeStep(): Promise<void> {
    const step = this.#steps[this.#next]
    if (this.#underWay || !step) return
    this.#underWay = true
    log(`${step.name} ${await outcome(step, this.#stop)}`)
    this.#underWay = false
    this.#next += 1
    if (this.#next === this.#steps.length) log('the tour is over')
  }
}

/** What a step came to, in one line. */
async function outcome(step: Step, stop: Stop): Promise<string> {
  try {
    return `ok: ${oneLine(await step.run(stop))}`
  } catch (reason) {
    // Not everything the SDK rejects with is an error; some of it is a sentence.
    const why = oneLine(reason instanceof Error ? reason.message : String(reason))
    return reason instanceof NotConfigured ? `not configured: ${why}` : `failed: ${why}`
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/** Answers other wearers' apps while this wearer goes nowhere: who says hello is greeted back. */
export function keepCompany(session: AppSession): void {
  session.onAppMessage(({ payload, senderUserId }: { payload: unknown; senderUserId: string }) => {
    // Somebody who is about to leave answers nobody; what went wrong is told to `onError` as well.
    answer(session, payload, senderUserId)?.catch(() => {})
  })
}

function answer(session: AppSession, payload: unknown, from: string): Promise<unknown> | undefined {
  if (payload === 'hello') return session.sendDirectMessage(from, 'hello yourself')
  if (payload === 'meet me') return session.joinAppRoom('lobby')
  if (payload === 'goodbye') return session.leaveAppRoom('lobby')
  return undefined
}
