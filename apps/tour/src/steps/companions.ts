import { cloudUrl } from '../cloud-url.ts'
import { expect, heard, type Step } from '../step.ts'

/** A message from the same app at another wearer. */
interface AppMessage {
  readonly payload: unknown
  readonly senderUserId: string
}

/** The same app at other wearers (`keepCompany` in `tour.ts` is what answers there). */
export const companions: readonly Step[] = [
  {
    name: 'others',
    run: async ({ session }) => {
      const { users } = await session.discoverAppUsers(cloudUrl(session), true)
      expect(users.length === (await session.getUserCount(cloudUrl(session))), 'two numbers of users')
      return `${users.length} wearers take the tour`
    },
  },
  {
    name: 'message to one',
    run: async ({ session }) => {
      const companion = await findCompanion(session)
      const answer = heard<AppMessage>('answer', (hear) => session.onAppMessage(hear))
      expect(await session.sendDirectMessage(companion, 'hello'), 'the message was not taken')
      const { payload } = await answer
      expect(!(await session.sendDirectMessage('nobody@example.com', 'hello')), 'nobody took a message')
      return `“hello” was answered “${payload}”`
    },
  },
  {
    name: 'message to all',
    run: async ({ session }) => {
      const answer = heard<AppMessage>('answer', (hear) => session.onAppMessage(hear))
      await session.broadcastToAppUsers('hello')
      return `“hello” was answered “${(await answer).payload}”`
    },
  },
  {
    name: 'room',
    run: async ({ session }) => {
      const companion = await findCompanion(session)
      const updated = heard<{ roomData: { maxUsers: number } }>('news of the room', (hear) =>
        session.onAppRoomUpdated(hear),
      )
      await session.joinAppRoom('lobby', { maxUsers: 2, isPrivate: true, metadata: { topic: 'the tour' } })
      const { roomData } = await updated
      const joined = heard<{ userId: string }>('companion', (hear) => session.onAppUserJoined(hear))
      await session.sendDirectMessage(companion, 'meet me')
      const here = (await joined).userId === companion
      const left = heard<{ userId: string }>('goodbye', (hear) => session.onAppUserLeft(hear))
      await session.sendDirectMessage(companion, 'goodbye')
      const gone = (await left).userId === companion
      await session.leaveAppRoom('lobby')
      expect(here && gone, 'somebody else came or went')
      return `a room for ${roomData.maxUsers}, where a companion came and went`
    },
  },
]

async function findCompanion(session: Parameters<Step['run']>[0]['session']): Promise<string> {
  const { users } = (await session.discoverAppUsers(cloudUrl(session))) as { users: { userId: string }[] }
  const companion = users.find(({ userId }) => userId !== session.userId)
  expect(companion !== undefined, 'nobody else takes the tour')
  return companion.userId
}
