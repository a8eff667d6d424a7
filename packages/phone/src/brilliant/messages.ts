import type { Command, Step } from '../bluetooth/command.ts'

/** Begins data in both directions; anything else is text for, or of, the Lua console (Brilliant docs, "Sending Data"). */
export const DATA = 0x01

/** What the program on the glasses sends: first byte after `DATA` (own protocol, `program.ts`). */
export const REPORT = {
  ready: 0x00,
  acknowledgement: 0x01,
  audio: 0x02,
  battery: 0x03,
  gesture: 0x04,
} as const

/** A message to the program: its name in the log, and its code (own protocol, `program.ts`). */
interface Message {
  readonly name: string
  readonly code: number
}

export const MESSAGES = {
  text: { name: 'text', code: 0x10 },
  strip: { name: 'strip', code: 0x11 },
  picture: { name: 'picture', code: 0x12 },
  microphone: { name: 'microphone', code: 0x20 },
  battery: { name: 'battery', code: 0x30 },
  brightness: { name: 'brightness', code: 0x40 },
  end: { name: 'end', code: 0x50 },
} as const satisfies Record<string, Message>

/** Flags of a packet. */
const FIRST = 1
const LAST = 2

const PACKET_LIMITS = { limitMs: 1000, repeats: 2, mustBeAnswered: true } as const

/** Numbers the packets, and cuts messages into packets of which each is acknowledged. */
export class Packets {
  #number = 0
  /** Bytes of a write. */
  maxBytes = 0

  /** The packets of a message. */
  steps(message: Message, data: Uint8Array): Step[] {
    const bytes = Uint8Array.of(message.code, ...data)
    const payload = this.maxBytes - 3
    const count = Math.ceil(bytes.length / payload)
    const command: Command = { name: message.name, judge: judgeAcknowledgement, ...PACKET_LIMITS }
    return Array.from({ length: count }, (_, index) => {
      this.#number = (this.#number + 1) & 0xff
      const flags = (index === 0 ? FIRST : 0) | (index === count - 1 ? LAST : 0)
      const part = bytes.subarray(index * payload, (index + 1) * payload)
      return { command, bytes: Uint8Array.of(DATA, this.#number, flags, ...part) }
    })
  }
}

/** `01 01 <number> <0 done, 1 failed>`. */
function judgeAcknowledgement(answer: Uint8Array, sent: Uint8Array): 'done' | 'refused' | undefined {
  if (answer[0] !== DATA || answer[1] !== REPORT.acknowledgement || answer[2] !== sent[1]) return undefined
  return answer[3] === 0 ? 'done' : 'refused'
}
