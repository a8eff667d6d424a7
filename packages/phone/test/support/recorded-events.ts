import type { AdapterEvents, Gesture, Link } from '../../src/adapter/glasses-adapter.ts'

/** Everything that an adapter reported. */
export class RecordedEvents implements AdapterEvents {
  readonly links: Link[] = []
  readonly batteries: number[] = []
  readonly gestures: Gesture[] = []
  readonly heads: string[] = []
  readonly wornStates: boolean[] = []
  readonly audioPackets: Uint8Array[] = []
  readonly problems: string[] = []

  link(link: Link): void {
    this.links.push(link)
  }
  battery(level: number): void {
    this.batteries.push(level)
  }
  gesture(gesture: Gesture): void {
    this.gestures.push(gesture)
  }
  head(position: 'up' | 'down'): void {
    this.heads.push(position)
  }
  worn(isWorn: boolean): void {
    this.wornStates.push(isWorn)
  }
  audio(frames: Uint8Array): void {
    this.audioPackets.push(frames)
  }
  problem(error: Error): void {
    this.problems.push(error.message)
  }

  /** Everything that was reported, counted. */
  get count(): number {
    const lists = [this.links, this.batteries, this.gestures, this.heads, this.wornStates, this.audioPackets]
    return lists.reduce((sum, list) => sum + list.length, this.problems.length)
  }
}
