import { type Static, Type } from 'typebox'

/** Schema of the state of a user's apps (decision C11), in answers to start and stop and in the broadcast. */
export const appState = Type.Object(
  {
    sessionId: Type.String(),
    userId: Type.String({ description: "The user's e-mail" }),
    activeApps: Type.Array(Type.String()),
    loadingApps: Type.Array(Type.String()),
    apps: Type.Array(
      Type.Object({
        packageName: Type.String(),
        state: Type.Enum(['starting', 'running', 'reconnecting', 'restarting', 'stopping']),
        since: Type.String({ format: 'date-time' }),
      }),
    ),
    revision: Type.Integer({ minimum: 0, description: 'Grows by one a change' }),
  },
  { title: 'AppState' },
)

/** The state of a user's apps (decision C11). */
export type AppState = Static<typeof appState>
