import { type Static, Type } from 'typebox'

const success = Type.Literal(true)

/** What the glasses are to do of their own accord. */
const action = Type.Literal('take_photo')

/** How long glasses may come back to a photo they were told to take, in ms (reference behaviour, C.1). */
export const BUTTON_PHOTO_TIMEOUT_MS = 60_000

/** Schema of a press of a button of the glasses. */
export const buttonPress = Type.Object(
  {
    buttonId: Type.String({ minLength: 1, maxLength: 200 }),
    pressType: Type.String({ minLength: 1, maxLength: 50, description: 'short or long' }),
    coreToken: Type.Optional(
      Type.String({ maxLength: 8_192, description: 'The token of older glasses, where the header has none' }),
    ),
  },
  { title: 'ButtonPress' },
)

/** A press of a button of the glasses. */
export type ButtonPress = Omit<Static<typeof buttonPress>, 'coreToken'>

/** Schema of the answer to a press. */
export const buttonPressResponse = Type.Object(
  {
    success,
    action: Type.Optional({ ...action, description: 'Only where no app listens to buttons' }),
    requestId: Type.Optional(Type.String({ description: 'To be uploaded with the photo' })),
  },
  { title: 'ButtonPressAnswer' },
)

/** Schema of the answer whether the wearer's photo is still to be taken. */
export const buttonPhotoResponse = Type.Object({ success, action }, { title: 'WearerPhoto' })
