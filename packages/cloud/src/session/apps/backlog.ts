import type { CloudToApp, DataStreamFields } from '@glasses-cloud/contract'

/** A frame of a stream that waits for its app to come back. */
export interface WaitingFrame {
  readonly envelope: DataStreamFields
  readonly dataJson: string
}

/** An answer to something the app asked that waits for it to come back. */
export interface WaitingAnswer {
  readonly answer: CloudToApp
}

type Waiting = WaitingFrame | WaitingAnswer

const MAX_ENTRIES = 200
const MAX_CHARACTERS = 256 * 1024

/**
 * What goes to an app whose socket broke, kept for the seconds it has to reconnect. Bounded: the oldest go first,
 * and it is counted how many went.
 */
export class Backlog {
  #entries: { readonly waiting: Waiting; readonly characters: number }[] = []
  #characters = 0
  #dropped = 0

  push(waiting: Waiting): void {
    const { length: characters } = 'answer' in waiting ? JSON.stringify(waiting.answer) : waiting.dataJson
    this.#entries.push({ waiting, characters })
    this.#characters += characters
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#entries.shift()?.characters ?? 0
      this.#dropped += 1
    }
  }

  /** Forgets the frames of streams that the app may not have any more. */
  keepStreams(mayHave: (streamType: string) => boolean): void {
    this.#entries = this.#entries.filter(
      ({ waiting }) => 'answer' in waiting || mayHave(waiting.envelope.streamType),
    )
    this.#characters = this.#entries.reduce((sum, { characters }) => sum + characters, 0)
  }

  /** Empties the backlog. */
  take(): { waiting: readonly Waiting[]; dropped: number } {
    const taken = { waiting: this.#entries.map(({ waiting }) => waiting), dropped: this.#dropped }
    this.#entries = []
    this.#characters = 0
    this.#dropped = 0
    return taken
  }
}
