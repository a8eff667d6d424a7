import type { Message } from '@glasses-cloud/contract'

/** How the glasses handle `rgb_led_control`. */
export type LedBehavior =
  /** Apply the command. */
  | { readonly kind: 'apply' }
  /** Report this error; glasses without an RGB LED report `device_not_supported`. */
  | { readonly kind: 'fail'; readonly error: string }
  /** Send no response. */
  | { readonly kind: 'ignore' }

/** An applied `rgb_led_control`. */
export interface LedCommand {
  readonly appId: string
  readonly action: 'on' | 'off'
  readonly color: string
  /** Milliseconds on per cycle. */
  readonly ontime: number
  /** Milliseconds off per cycle. */
  readonly offtime: number
  /** Number of cycles. */
  readonly count: number
}

const MAX_HISTORY = 100

/** Simulated RGB LED of the glasses. */
export class Led {
  /** May be changed at any time. */
  behavior: LedBehavior = { kind: 'apply' }
  readonly #send: (message: Message) => void
  readonly #onCommand: (command: LedCommand) => void
  #commands: LedCommand[] = []

  /**
   * @param send sends a message to the cloud
   * @param onCommand called for every applied command
   */
  constructor(send: (message: Message) => void, onCommand: (command: LedCommand) => void) {
    this.#send = send
    this.#onCommand = onCommand
  }

  /** The last 100 applied commands, oldest first. */
  get commands(): readonly LedCommand[] {
    return this.#commands
  }

  /** Handles `rgb_led_control`; ignores other messages. */
  handle(message: Message): void {
    const { behavior } = this
    if (message.type !== 'rgb_led_control' || behavior.kind === 'ignore') return
    // The defaults are the phone's (glasses-socket.md §2.2).
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

/** The phone's error code for an unsupported action. */
function validateAction(action: unknown): string | undefined {
  return action === 'on' || action === 'off' ? undefined : 'unsupported_action'
}
