import type { Message } from '@glasses-cloud/contract'

/** What the glasses do when an app wants light. */
export type LightBehaviour =
  | { readonly kind: 'shine' }
  /** They cannot, and say why: `device_not_supported` is the word of glasses without such a light. */
  | { readonly kind: 'fail'; readonly error: string }
  /** They say nothing. */
  | { readonly kind: 'ignore' }

/** What an app wanted of the light. */
export interface LightCommand {
  readonly appId: string
  readonly action: 'on' | 'off'
  readonly color: string
  /** Milliseconds lit and dark, and how often. */
  readonly ontime: number
  readonly offtime: number
  readonly count: number
}

/** So many commands are remembered. */
const KEPT = 100

/** The light of the glasses that apps may switch. */
export class Light {
  /** May be changed at any time. */
  behaviour: LightBehaviour = { kind: 'shine' }
  readonly #send: (message: Message) => void
  readonly #obeyed: (command: LightCommand) => void
  #commands: LightCommand[] = []

  /**
   * @param send says something to the cloud
   * @param obeyed hears of every command that was followed
   */
  constructor(send: (message: Message) => void, obeyed: (command: LightCommand) => void) {
    this.#send = send
    this.#obeyed = obeyed
  }

  /** What the light did, oldest first; the last hundred commands are kept. */
  get commands(): readonly LightCommand[] {
    return this.#commands
  }

  /** Reacts to a message, if it is about light. */
  react(message: Message): void {
    const { behaviour } = this
    if (message.type !== 'rgb_led_control' || behaviour.kind === 'ignore') return
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
    const error = behaviour.kind === 'fail' ? behaviour.error : problem(action)
    if (error === undefined) {
      const command = { appId, action, color, ontime, offtime, count } as LightCommand
      this.#commands = [...this.#commands, command].slice(-KEPT)
      this.#obeyed(command)
    }
    this.#send({
      type: 'rgb_led_control_response',
      requestId,
      success: error === undefined,
      ...(error !== undefined && { error }),
    })
  }
}

function problem(action: unknown): string | undefined {
  return action === 'on' || action === 'off' ? undefined : 'unsupported_action'
}
