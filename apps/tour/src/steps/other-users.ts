import { cloudUrl, expect, type Step, waitForEvent } from '../step.ts'

/** A message from the same app of another user. */
interface AppMessage {
  readonly payload: unknown
  readonly senderUserId: string
}

/** Communication with other users of the app; `respondToMessages` in `tour.ts` is the other side. */
export const otherUsers: readonly Step[] = [
  {
    name: 'other users',
    run: async ({ session }) => {
      const { users } = await session.discoverAppUsers(cloudUrl(session), true)
      expect(users.length === (await session.getUserCount(cloudUrl(session))), 'the numbers of users differ')
      return `${users.length} users`
    },
  },
  {
    name: 'direct message',
    run: async ({ session }) => {
      const otherUser = await findOtherUser(session)
      const reply = waitForEvent<AppMessage>('reply', (resolve) => session.onAppMessage(resolve))
      expect(await session.sendDirectMessage(otherUser, 'hello'), 'the message was not delivered')
      const { payload } = await reply
      expect(
        !(await session.sendDirectMessage('unknown@example.com', 'hello')),
        'a message to an unknown user was delivered',
      )
      return `received “${payload}”`
    },
  },
  {
    name: 'broadcast message',
    run: async ({ session }) => {
      const reply = waitForEvent<AppMessage>('reply', (resolve) => session.onAppMessage(resolve))
      await session.broadcastToAppUsers('hello')
      return `received “${(await reply).payload}”`
    },
  },
  {
    name: 'room',
    run: async ({ session }) => {
      const otherUser = await findOtherUser(session)
      const updated = waitForEvent<{ roomData: { maxUsers: number } }>('room update', (resolve) =>
        session.onAppRoomUpdated(resolve),
      )
      await session.joinAppRoom('lobby', { maxUsers: 2, isPrivate: true, metadata: { topic: 'the tour' } })
      const { roomData } = await updated
      const joined = waitForEvent<{ userId: string }>('join', (resolve) => session.onAppUserJoined(resolve))
      await session.sendDirectMessage(otherUser, 'meet me')
      const hasJoined = (await joined).userId === otherUser
      const left = waitForEvent<{ userId: string }>('leave', (resolve) => session.onAppUserLeft(resolve))
      await session.sendDirectMessage(otherUser, 'goodbye')
      const hasLeft = (await left).userId === otherUser
      await session.leaveAppRoom('lobby')
      expect(hasJoined && hasLeft, 'another user joined or left')
      return `joined and left by the other user, ${roomData.maxUsers} users at most`
    },
  },
]

async function findOtherUser(session: Parameters<Step['run']>[0]['session']): Promise<string> {
  const { users } = (await session.discoverAppUsers(cloudUrl(session))) as { users: { userId: string }[] }
  const otherUser = users.find(({ userId }) => userId !== session.userId)
  expect(otherUser !== undefined, 'no other user runs the tour')
  return otherUser.userId
}
