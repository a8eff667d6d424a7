import assert from 'node:assert/strict'
import { needsAudio } from '@glasses-cloud/contract'
import { packages } from '../cast.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

/** The wearer speaks, and the room is heard. */
export class Hearing implements Area {
  readonly steps: readonly Step[] = [
    [3, 'the wearer speaks', () => this.#speak()],
    [2, 'sound comes', () => this.#sound()],
  ]
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  checkAtRest(): void {
    const { lists, currentGlasses } = this.#world
    const told = currentGlasses?.lastOfType('microphone_state_change')?.isMicrophoneEnabled
    const wanted = packages.some((packageName) => lists.of(packageName).some(needsAudio))
    assert.equal(told, wanted, 'the microphone is on exactly when an app needs sound')
  }

  #speak(): void {
    const { random, currentGlasses, session } = this.#world
    const isFinal = random.chance(0.5)
    if (currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'local_transcription', text: 'hello', isFinal })
  }

  #sound(): void {
    const { currentGlasses, session } = this.#world
    if (currentGlasses) session.handleGlassesAudio(currentGlasses, new Uint8Array(64))
  }
}
