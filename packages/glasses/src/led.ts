import type { Message } from '@glasses-cloud/contract'

/** What the glasses do when an app wants light. */
export type LedBehavior =
  | { readonly kind: 'shine' }
  /** They cannot, and say why: `device_not_supported` is the word of glasses without such a light. */
  | { readonly kind: 'fail'; readonly error: string }
  /** They say nothing. */
  | { readonly kind: 'ignore' }

/** What an app wanted of the light. */
export interface LedCommand {
  readonly appId: string
  readonly action: 'on' | 'off'
  readonly color: string
  /** Milliseconds lit and dark, and how often. */
  readonly ontime: number
  readonly offtime: number
  readonly count: number
}

/** So many commands are remembered. */
const MAX_HISTORY = 100

/** The light of the glasses that apps may switch. */
export class Led {
  /** May be changed at any time. */
  behavior: LedBehavior = { kind: 'shine' }
  readonly #send: (message: Message) => void
  readonly #onCommand: (command: LedCommand) => void
  #commands: LedCommand[] = []

  /**
   * @param send says something to the cloud
   * @param obeyed hears of every command that was followed
   */
  constructor(send: (message: Message) => void, obeyed: (command: LedCommand) => void) {
    this.#send = send
    this.#onCommand = obeyed
  }

  /** What the light did, oldest first; the last hundred commands are kept. */
  get commands(): readonly LedCommand[] {
    return this.#commands
  }

  /** Reacts to a message, if it is about light. */
  handle(message: Message): void {
    const { behavior } = this
    if (message.type !== 'rgb_led_control' || behavior.kind === 'ignore') return
    // The defaults are the phone's (glasses socket protocol, 2.2).
    const {
      requestId,
      appId,
      action = 'off',
      color = 'red',
      ontime = 1_000,
      offtime = 0,
      count = 1,
    } = message
    const error = behavior.kind === 'fail' ? behavior.error : validateAction(action)
    if (error === undefined) {
      const command = { appId, action, color, ontime, offtime, count } as LedCommand
      this.#commands = [...this.#commands, command].slice(-MAX_HISTORY)
      this.#onCommand(command)
    }
    this.#send({
      type: 'rgb_led_control_response',
      requestId,
      success: error === undefined,
      ...(error !== undefined && { error }),
    })
  }
}

function validateAction(action: unknown): string | undefined {
  return action === 'on' || action === 'off' ? undefined : 'unsupported_action'
}
