import { type Static, Type } from 'typebox'
import { anyPart } from './tolerant-reader.ts'

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
  { title: 'ButtonPress', ...anyPart },
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

const { Boolean: bool, Integer: integer, Number: number, String: string, Optional: optional } = Type

const size = Type.Object({ width: integer(), height: integer() })

/** Details of a hardware part; null if the glasses lack the part or its details are unknown. */
const part = <T extends Type.TProperties>(properties: T) => Type.Union([Type.Object(properties), Type.Null()])

/**
 * Schema of the hardware capabilities of a glasses model, as apps receive them in `capabilities`. Each part has a
 * `hasX` flag, which alone decides whether the part is present, and an object with its details. Resolutions are in
 * pixels, fields of view in degrees.
 */
export const capabilities = Type.Object(
  {
    modelName: string(),
    hasCamera: bool(),
    camera: part({
      resolution: optional(size),
      hasHDR: optional(bool()),
      hasFocus: optional(bool()),
      video: Type.Object({
        canRecord: bool(),
        canStream: bool(),
        supportedStreamTypes: optional(Type.Array(string())),
        supportedResolutions: optional(Type.Array(size)),
      }),
    }),
    hasDisplay: bool(),
    display: part({
      count: optional(integer()),
      isColor: optional(bool()),
      color: optional(string()),
      canDisplayBitmap: optional(bool()),
      resolution: optional(size),
      fieldOfView: optional(Type.Object({ horizontal: optional(number()), vertical: optional(number()) })),
      maxTextLines: optional(integer()),
      adjustBrightness: optional(bool()),
      width: optional(integer()),
      height: optional(integer()),
      canPosition: optional(bool()),
      maxTextElements: optional(integer()),
      maxImageElements: optional(integer()),
      shapes: optional(Type.Array(string())),
      intensityLevels: optional(integer()),
      partialUpdate: optional(bool()),
    }),
    hasMicrophone: bool(),
    microphone: part({ count: optional(integer()), hasVAD: optional(bool()) }),
    hasSpeaker: bool(),
    speaker: part({ count: optional(integer()), isPrivate: optional(bool()) }),
    hasIMU: bool(),
    imu: part({
      axisCount: optional(integer()),
      hasAccelerometer: optional(bool()),
      hasCompass: optional(bool()),
      hasGyroscope: optional(bool()),
    }),
    hasButton: bool(),
    button: part({
      count: optional(integer()),
      buttons: optional(
        Type.Array(
          Type.Object({
            type: Type.Enum(['press', 'swipe1d', 'swipe2d']),
            events: Type.Array(string()),
            isCapacitive: optional(bool()),
          }),
        ),
      ),
    }),
    hasLight: bool(),
    light: part({
      count: optional(integer()),
      lights: optional(
        Type.Array(
          Type.Object({
            id: string(),
            purpose: Type.Enum(['privacy', 'user_feedback', 'general']),
            isFullColor: bool(),
            color: optional(string()),
            position: optional(Type.Enum(['front_facing', 'user_facing', 'side', 'unknown'])),
          }),
        ),
      ),
    }),
    power: Type.Object({ hasExternalBattery: bool() }),
    hasWifi: bool(),
    hasOta: bool(),
    hasNativeDashboard: bool(),
  },
  { title: 'Capabilities' },
)

/** Hardware capabilities of a glasses model. */
export type Capabilities = Static<typeof capabilities>
