import { hexByte } from '../bluetooth/command.ts'
import { CommandLink, type LinkDeps } from '../bluetooth/command-link.ts'
import type { LogEntry } from '../bluetooth/command-queue.ts'
import { COMMANDS, step } from './commands.ts'

/** Audio packets are counted, not logged. */
const AUDIO = 0xf1
const HEARTBEAT_MS = 8000

const SLOTS = ['exit', 'heartbeat', 'microphone', 'page', 'brightness', 'battery', 'firmware'] as const

/** One arm, a peripheral with its own commands. */
export class Arm extends CommandLink<(typeof SLOTS)[number]> {
  readonly side: 'left' | 'right'

  constructor(side: 'left' | 'right', deps: LinkDeps) {
    let heartbeat = 0
    super({
      ...deps,
      part: side,
      subject: `The ${side} arm`,
      slots: SLOTS,
      start: async (perform) => (await perform(step(COMMANDS.start, 0x01))) === 'done',
      heartbeat: {
        slot: 'heartbeat',
        intervalMs: HEARTBEAT_MS,
        steps: () => {
          const sequence = heartbeat++ & 0xff
          return [step(COMMANDS.heartbeat, 0x06, 0x00, sequence, 0x04, sequence)]
        },
      },
      describe,
    })
    this.side = side
  }

  /** Drops the page that waits, and the rest of the one in transmission. */
  cancelPage(): void {
    this.cancel('page')
  }
}

function describe(bytes: Uint8Array): Pick<LogEntry, 'code' | 'result'> | undefined {
  const [code, second] = bytes
  if (code === undefined || code === AUDIO) return undefined
  return { code, ...(second !== undefined && { result: hexByte(second) }) }
}
