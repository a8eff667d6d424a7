import type { Clock } from '../clock.ts'
import { G1Arm } from './g1-arm.ts'

/** A modelled pair of Even G1: two peripherals whose names share a channel number. */
export class EvenG1Model {
  readonly left: G1Arm
  readonly right: G1Arm

  /** @param channel the number in both advertised names */
  constructor(clock: Clock, channel = 12) {
    this.left = new G1Arm(`Even G1_${channel}_L_4A3B2C`, 'left', clock)
    this.right = new G1Arm(`Even G1_${channel}_R_5D6E7F`, 'right', clock)
  }

  get arms(): readonly [G1Arm, G1Arm] {
    return [this.left, this.right]
  }

  /** Whether both arms show the same, pixel for pixel. */
  get areLensesEqual(): boolean {
    const [left, right] = [this.left.lens.pixels, this.right.lens.pixels]
    return (
      this.left.lens.kind === this.right.lens.kind && left.every((pixel, index) => pixel === right[index])
    )
  }
}
