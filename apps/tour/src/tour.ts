import type { AppSession } from '@mentra/sdk'
import { log, NotConfiguredError, type Step, type StepContext } from './step.ts'

/** Runs the steps for one user: each short press of the button `next` runs the next step. */
export class Tour {
  readonly #context: StepContext
  readonly #steps: readonly Step[]
  #nextIndex = 0
  #isRunning = false

  constructor(context: StepContext, steps: readonly Step[]) {
    this.#context = context
    this.#steps = steps
    context.session.events.onButtonPress(({ buttonId, pressType }) => {
      if (buttonId === 'next' && pressType === 'short') void this.#runNextStep()
    })
  }

  async #runNextStep(): Promise<void> {
    const step = this.#steps[this.#nextIndex]
    if (this.#isRunning || !step) return
    this.#isRunning = true
    log(`${step.name} ${await runStep(step, this.#context)}`)
    this.#isRunning = false
    this.#nextIndex += 1
    if (this.#nextIndex === this.#steps.length) log('tour complete')
  }
}

/** Runs a step and returns its result as one line. */
async function runStep(step: Step, context: StepContext): Promise<string> {
  try {
    return `ok: ${singleLine(await step.run(context))}`
  } catch (reason) {
    // The SDK rejects some promises with a string.
    const message = singleLine(reason instanceof Error ? reason.message : String(reason))
    return reason instanceof NotConfiguredError ? `not configured: ${message}` : `failed: ${message}`
  }
}

const singleLine = (text: string) => text.replace(/\s+/g, ' ')

/** Responds to app messages of other users, so that their tour has somebody to exchange messages with. */
export function respondToMessages(session: AppSession): void {
  session.onAppMessage(({ payload, senderUserId }: { payload: unknown; senderUserId: string }) => {
    // Fails while the session is being closed; `onError` logs it.
    respond(session, payload, senderUserId)?.catch(() => {})
  })
}

function respond(session: AppSession, payload: unknown, from: string): Promise<unknown> | undefined {
  if (payload === 'hello') return session.sendDirectMessage(from, 'hello yourself')
  if (payload === 'meet me') return session.joinAppRoom('lobby')
  if (payload === 'goodbye') return session.leaveAppRoom('lobby')
  return undefined
}
