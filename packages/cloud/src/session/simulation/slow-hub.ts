import { AppMessageHub } from '../../features/app-messages/hub.ts'
import type {
  AppMember,
  AppMessage,
  AppMessaging,
  MessagingDone,
  RoomOptions,
} from '../features/app-messages/port.ts'
import type { World } from './world.ts'

/** The real way between wearers, whose outcomes come when the dice say: at once or later, as the port allows. */
export class SlowHub implements AppMessaging {
  readonly #world: World
  readonly #hub: AppMessageHub
  /** Slices of deliveries that are due, which run before the call of the hub returns. */
  readonly #slices: (() => void)[] = []

  constructor(world: World) {
    this.#world = world
    this.#hub = new AppMessageHub(
      () => world.clock.now(),
      (run) => this.#slices.push(run),
    )
  }

  /** Whether the app at a wearer can be reached. */
  reaches(packageName: string, userId: string): boolean {
    return this.#hub.usersOf(packageName).some((user) => user.userId === userId)
  }

  enter(member: AppMember): void {
    this.#hub.enter(member)
  }

  leave(member: AppMember): void {
    this.#hub.leave(member)
    this.#runSlices()
  }

  broadcast(from: AppMember, message: AppMessage, done: MessagingDone): void {
    this.#hub.broadcast(from, message, this.#later(done))
    this.#runSlices()
  }

  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    this.#hub.toRoom(from, roomId, message, this.#later(done))
    this.#runSlices()
  }

  direct(from: AppMember, userId: string, message: AppMessage, done: MessagingDone): void {
    this.#hub.direct(from, userId, message, this.#later(done))
    this.#runSlices()
  }

  joinRoom(from: AppMember, roomId: string, wish: RoomOptions, done: MessagingDone): void {
    this.#hub.joinRoom(from, roomId, wish, this.#later(done))
    this.#runSlices()
  }

  leaveRoom(from: AppMember, roomId: string): void {
    this.#hub.leaveRoom(from, roomId)
    this.#runSlices()
  }

  #runSlices(): void {
    for (let run = this.#slices.shift(); run; run = this.#slices.shift()) run()
  }

  #later(done: MessagingDone): MessagingDone {
    const { random, clock, calm } = this.#world
    if (calm || random.chance(0.6)) return done
    return (refusal) => void clock.after(random.below(10_000), () => done(refusal))
  }
}
