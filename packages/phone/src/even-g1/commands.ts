import type { TextPage } from '../adapter/glasses-adapter.ts'
import type { Command, Step } from '../bluetooth/command.ts'
import { drawnText } from '../pages/clean-text.ts'

/** A command of the glasses, by its first byte. */
interface G1Command extends Command {
  readonly code: number
}

const DONE = 0xc9
const FAILED = 0xca
const MORE = 0xcb

/** `<command> C9` done, `CA` failed, `CB` more to come (EvenDemoApp README, `lib/ble_manager.dart`). */
function judgeStatus(answer: Uint8Array, sent: Uint8Array): 'done' | 'refused' | undefined {
  if (answer[0] !== sent[0]) return undefined
  if (answer[1] === DONE || answer[1] === MORE) return 'done'
  return answer[1] === FAILED ? 'refused' : undefined
}

/** Every command that the adapter sends. Commands go to both arms unless the entry says otherwise. */
export const COMMANDS = {
  /** `4D 01`, first after connecting (MentraOS, iOS `G1.swift`). */
  start: { code: 0x4d, judge: judgeStatus, limitMs: 1000, repeats: 2, mustBeAnswered: true },
  /** `25 06 00 <sequence> 04 <sequence>` every 8 s (EvenDemoApp, `lib/services/proto.dart`). */
  heartbeat: {
    code: 0x25,
    judge: (answer) => (answer[0] === 0x25 && answer[4] === 0x04 ? 'done' : undefined),
    limitMs: 1500,
    repeats: 2,
    mustBeAnswered: true,
  },
  /**
   * `4E <sequence> <packets> <index> 71 00 00 <page> <pages> <UTF-8>` (EvenDemoApp README: Text Sending); the answer
   * repeats the sequence number (MentraOS, iOS `G1.swift`).
   */
  text: {
    code: 0x4e,
    judge: (answer, sent) =>
      answer.length > 2 && answer[2] !== sent[1] ? undefined : judgeStatus(answer, sent),
    limitMs: 1000,
    repeats: 2,
    mustBeAnswered: true,
  },
  /** `18`: leave the feature, remove a picture (EvenDemoApp, `lib/services/proto.dart`). */
  exit: { code: 0x18, judge: judgeStatus, limitMs: 1500, repeats: 2, mustBeAnswered: true },
  /** `15 <index> <194 bytes>`, 8 ms apart (EvenDemoApp README; `lib/controllers/bmp_update_manager.dart`). */
  picturePiece: { code: 0x15, limitMs: 1000, repeats: 2, pauseMs: 8, mustBeAnswered: true },
  /** `20 0D 0E` after the last piece: ten attempts, 1 s apart, 3 s each (the same). */
  pictureEnd: {
    code: 0x20,
    judge: judgeStatus,
    limitMs: 3000,
    repeats: 9,
    repeatAfterMs: 1000,
    mustBeAnswered: true,
  },
  /** `16 <CRC-32>`; byte 5 of the answer is the status (the same). */
  pictureCheck: {
    code: 0x16,
    judge: (answer) => {
      if (answer[0] !== 0x16 || answer.length < 6) return undefined
      return answer[5] === DONE ? 'done' : 'refused'
    },
    limitMs: 3000,
    repeats: 2,
    mustBeAnswered: true,
  },
  /** `0E 01` on, `0E 00` off, to the right arm (EvenDemoApp README: Open Glasses Mic). */
  microphone: {
    code: 0x0e,
    judge: (answer, sent) =>
      answer.length > 2 && answer[2] !== sent[1] ? undefined : judgeStatus(answer, sent),
    limitMs: 1000,
    repeats: 2,
    mustBeAnswered: true,
  },
  /** `2C 01`, answered with `2C 66 <percent> …` (MentraOS, iOS `G1.swift`). */
  battery: {
    code: 0x2c,
    judge: (answer) => (answer[0] === 0x2c && answer[1] === 0x66 ? 'done' : undefined),
    limitMs: 1000,
    repeats: 0,
    mustBeAnswered: false,
  },
  /** `01 <0 to 29> <automatic 0 or 1>` (MentraOS, iOS `G1.swift`); whether it is answered differs by source. */
  brightness: { code: 0x01, judge: judgeStatus, limitMs: 1000, repeats: 0, mustBeAnswered: false },
  /** `23 74` to the left arm, answered with text, which begins with `n` (MentraOS, `G1.java`). */
  firmware: {
    code: 0x23,
    judge: (answer) => (answer[0] === 0x6e ? 'done' : undefined),
    limitMs: 1000,
    repeats: 0,
    mustBeAnswered: false,
  },
} as const satisfies Record<string, G1Command>

/** A step with the command's code and the given bytes. */
export function step(command: G1Command, ...values: number[]): Step {
  return { command, bytes: Uint8Array.of(command.code, ...values) }
}

/** Bytes of text in a packet (EvenDemoApp, `evenai_proto.dart`). */
const PAYLOAD_BYTES = 191
/** Plain text, new content; stays until it is replaced (EvenDemoApp README). */
const SCREEN_TEXT_NEW = 0x71

/**
 * The packets of a page. Texts are cut at bytes, also inside a character.
 * @param sequence 0 to 255, the same for all packets of a transmission
 */
export function textSteps({ lines, number, total }: TextPage, sequence: number): Step[] {
  const text = lines.map((line) => drawnText(line).replaceAll(/\p{Cc}/gu, ' ')).join('\n')
  // The glasses do not take an empty text (MentraOS).
  const bytes = new TextEncoder().encode(text === '' ? ' ' : text)
  const count = Math.ceil(bytes.length / PAYLOAD_BYTES)
  return Array.from({ length: count }, (_, index) =>
    step(
      COMMANDS.text,
      sequence,
      count,
      index,
      SCREEN_TEXT_NEW,
      0,
      0,
      Math.min(number, 255),
      Math.min(total, 255),
      ...bytes.subarray(index * PAYLOAD_BYTES, (index + 1) * PAYLOAD_BYTES),
    ),
  )
}
