import { type Static, Type } from 'typebox'

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
