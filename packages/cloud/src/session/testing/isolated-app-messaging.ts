import type { AppMessaging } from '../features/app-messages/port.ts'

/** The way to other wearers, for a session that is alone in the world. */
export const isolatedAppMessaging: AppMessaging = {
  enter: () => {},
  leave: () => {},
  broadcast: (_from, _message, done) => done(),
  toRoom: (_from, _roomId, _message, done) => done(),
  direct: (_from, _userId, _message, done) =>
    done({ code: 'USER_NOT_REACHABLE', message: 'Nobody is there' }),
  joinRoom: (_from, _roomId, _wish, done) => done(),
  leaveRoom: () => {},
}
