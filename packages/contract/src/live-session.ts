import { type Static, Type } from 'typebox'
import { hardwareType } from './compatibility.ts'

const phoneConnection = (description: string, at: string) =>
  Type.Union(
    [
      Type.Null(),
      Type.Object({
        userAgent: Type.Union([Type.Null(), Type.String()], { description: 'Of its handshake' }),
        at: Type.String({ format: 'date-time', description: at }),
      }),
    ],
    { description },
  )

/** Schema of the live session of a user as web pages show it. */
export const liveSession = Type.Object(
  {
    isPhoneConnected: Type.Boolean({ description: 'Whether a glasses socket is open' }),
    phone: phoneConnection('The phone with the open glasses socket; null without one', 'When it connected'),
    refusedPhone: phoneConnection(
      'A phone that was refused in the last minutes, because phones of the user pushed each other out',
      'When it was refused last',
    ),
    glasses: Type.Union(
      [
        Type.Null(),
        Type.Object({
          modelName: Type.String(),
          hardware: Type.Union([Type.Null(), Type.Array(hardwareType)], {
            description: 'What the glasses have; null for an unknown model',
          }),
        }),
      ],
      { description: 'The connected glasses; null without any' },
    ),
    runningApps: Type.Array(Type.String(), { description: 'Package names' }),
    startingApps: Type.Array(Type.String(), { description: 'Package names' }),
  },
  { title: 'LiveSession' },
)

/** The live session of a user as web pages show it. */
export type LiveSession = Static<typeof liveSession>

/** Schema of the state of a user's apps (decision C11), in the responses of start and stop and in the broadcast. */
export const appState = Type.Object(
  {
    sessionId: Type.String(),
    userId: Type.String({ description: 'E-mail address of the user' }),
    activeApps: Type.Array(Type.String()),
    loadingApps: Type.Array(Type.String()),
    apps: Type.Array(
      Type.Object({
        packageName: Type.String(),
        state: Type.Enum(['starting', 'running', 'reconnecting', 'restarting', 'stopping']),
        since: Type.String({ format: 'date-time' }),
      }),
    ),
    revision: Type.Integer({ minimum: 0, description: 'Incremented with each change' }),
  },
  { title: 'AppState' },
)

/** The state of a user's apps (decision C11). */
export type AppState = Static<typeof appState>
