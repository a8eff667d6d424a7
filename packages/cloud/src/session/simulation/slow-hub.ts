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

  constructor(world: World) {
    this.#world = world
    this.#hub = new AppMessageHub(() => world.clock.now())
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
  }

  broadcast(from: AppMember, message: AppMessage): void {
    this.#hub.broadcast(from, message)
  }

  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    this.#hub.toRoom(from, roomId, message, this.#later(done))
  }

  direct(from: AppMember, userId: string, message: AppMessage, done: MessagingDone): void {
    this.#hub.direct(from, userId, message, this.#later(done))
  }

  joinRoom(from: AppMember, roomId: string, wish: RoomOptions, done: MessagingDone): void {
    this.#hub.joinRoom(from, roomId, wish, this.#later(done))
  }

  leaveRoom(from: AppMember, roomId: string): void {
    this.#hub.leaveRoom(from, roomId)
  }

  #later(done: MessagingDone): MessagingDone {
    const { random, clock, calm } = this.#world
    if (calm || random.chance(0.6)) return done
    return (refusal) => void clock.after(random.below(10_000), () => done(refusal))
  }
}
