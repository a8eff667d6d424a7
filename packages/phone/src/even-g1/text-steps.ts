import type { TextPage } from '../adapter/page.ts'
import type { Step } from '../bluetooth/command.ts'
import { COMMANDS, step } from './commands.ts'

/** Bytes of text in a packet (EvenDemoApp, `evenai_proto.dart`). */
const PAYLOAD_BYTES = 191
/** Plain text, new content; stays until it is replaced (EvenDemoApp README). */
const SCREEN_TEXT_NEW = 0x71

/**
 * The packets of a page. Texts are cut at bytes, also inside a character.
 * @param sequence 0 to 255, the same for all packets of a transmission
 */
export function textSteps({ lines, number, total }: TextPage, sequence: number): Step[] {
  const text = lines.map((line) => line.replaceAll(/\p{Cc}/gu, ' ')).join('\n')
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
