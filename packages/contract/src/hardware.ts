import { type Static, Type } from 'typebox'

const success = Type.Literal(true)

/** The action that the glasses perform on a button press. */
const action = Type.Literal('take_photo')

/** Time the glasses have to upload a photo requested in response to a button press (reference-behaviour.md §C.1). */
export const BUTTON_PHOTO_TIMEOUT_MS = 60_000

/** Schema of a button press on the glasses. */
export const buttonPress = Type.Object(
  {
    buttonId: Type.String({ minLength: 1, maxLength: 200 }),
    pressType: Type.String({ minLength: 1, maxLength: 50, description: 'short or long' }),
    coreToken: Type.Optional(
      Type.String({
        maxLength: 8_192,
        description: 'Used by older glasses instead of the Authorization header',
      }),
    ),
  },
  { title: 'ButtonPress' },
)

/** A button press on the glasses. */
export type ButtonPress = Omit<Static<typeof buttonPress>, 'coreToken'>

/** Schema of the response to a button press. */
export const buttonPressResponse = Type.Object(
  {
    success,
    action: Type.Optional({ ...action, description: 'Only if no app is subscribed to button presses' }),
    requestId: Type.Optional(Type.String({ description: 'Send it with the photo upload' })),
  },
  { title: 'ButtonPressAnswer' },
)

/** Schema of the response for a photo that is still requested. */
export const buttonPhotoResponse = Type.Object({ success, action }, { title: 'WearerPhoto' })
