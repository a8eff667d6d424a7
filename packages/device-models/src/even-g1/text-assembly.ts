/** Bytes of a text packet before its text (EvenDemoApp, README: Text Sending). */
const HEADER_BYTES = 9
/** Plain text, new content (EvenDemoApp, README). */
const SCREEN_TEXT_NEW = 0x71

/** Joins the packets of a text; a packet may end inside a character. */
export class TextAssembly {
  #sequence: number | undefined
  #packets: (Uint8Array | undefined)[] = []

  /**
   * Adds a packet. A packet with another sequence number begins a new text.
   * @returns whether the packet is valid, and the text if it is complete
   */
  add(packet: Uint8Array): { readonly isValid: boolean; readonly text?: string } {
    const [, sequence = 0, total = 0, index = 0, screen = 0, , , , pages = 0] = packet
    if (packet.length <= HEADER_BYTES || total === 0 || index >= total) return { isValid: false }
    if (screen !== SCREEN_TEXT_NEW || pages === 0) return { isValid: false }
    if (sequence !== this.#sequence || total !== this.#packets.length) {
      this.#sequence = sequence
      this.#packets = new Array(total).fill(undefined)
    }
    this.#packets[index] = packet.slice(HEADER_BYTES)
    const parts = this.#packets.filter((part) => part !== undefined)
    if (parts.length < total) return { isValid: true }
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
    let offset = 0
    for (const part of parts) {
      bytes.set(part, offset)
      offset += part.length
    }
    this.#sequence = undefined
    this.#packets = []
    return { isValid: true, text: new TextDecoder().decode(bytes) }
  }
}
