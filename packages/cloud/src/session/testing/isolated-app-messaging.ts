import type { AppMessaging } from '../parts/app-messages/port.ts'

/** App messaging without other users. */
export const isolatedAppMessaging: AppMessaging = {
  enter: () => {},
  leave: () => {},
  broadcast: (_from, _message, done) => done(),
  toRoom: (_from, _roomId, _message, done) => done(),
  direct: (_from, _userId, _message, done) =>
    done({ code: 'USER_NOT_REACHABLE', message: 'Nobody is there' }),
  joinRoom: (_from, _roomId, _options, done) => done(),
  leaveRoom: () => {},
}
