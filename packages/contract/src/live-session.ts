import { type Static, Type } from 'typebox'
import { hardwareType } from './compatibility.ts'

/** Schema of the live session of a user as web pages show it. */
export const liveSession = Type.Object(
  {
    isPhoneConnected: Type.Boolean({ description: 'Whether a glasses socket is open' }),
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
