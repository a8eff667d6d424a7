import {
  type AppToCloud,
  grants,
  type PhotoError,
  type PhotoHop,
  type PhotoResponse,
  photoResponseBody,
} from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import type { AppSession } from '../apps/app-session.ts'
import { command, optional } from '../command.ts'
import { LazySet } from '../lazy-collections.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionPart } from './part.ts'
import { type PendingRequest, PendingRequests } from './pending-requests.ts'

type PhotoRequest = Extract<AppToCloud, { type: 'photo_request' }>

const photoClaim = Type.Object({
  kind: Type.Literal('requested'),
  packageName: Type.String(),
  requestId: Type.String(),
  saveToGallery: Type.Boolean(),
  route: Type.Enum(['upload', 'socket']),
  authToken: Type.Optional(
    Type.String({ description: 'The bearer token that the app expects with the photo. Secret' }),
  ),
})

/** The request of an app that an upload completes. */
export type PhotoClaim = Static<typeof photoClaim>

const photoClaimOutcome = Type.Union([
  photoClaim,
  Type.Object({
    kind: Type.Literal('completed', { description: 'The request was completed, failed or dropped before' }),
  }),
  Type.Object({
    kind: Type.Literal('unrequested', { description: "No app made the request: it is the user's own photo" }),
  }),
])

/** What the session knows about the request that an upload names. */
export type PhotoClaimOutcome = Static<typeof photoClaimOutcome>

const photoAnswer = Type.Object({
  requestId: Type.String(),
  success: Type.Boolean(),
  photoUrl: Type.Optional(Type.String()),
  savedToGallery: Type.Optional(Type.Boolean()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})

/** The result of a photo request, as it is sent on the socket of the app. */
export type PhotoAnswer = Static<typeof photoAnswer>

/** Where and why a photo request failed. */
export type PhotoFailure = Pick<PhotoError, 'hop' | 'errorCode' | 'errorMessage'>

interface PhotoDetails {
  readonly saveToGallery: boolean
  readonly authToken: string | undefined
  /** Whether the glasses upload to the app's own URL, so that the cloud receives failures only. */
  readonly isDirect: boolean
}

type PendingPhoto = PendingRequest<PhotoDetails>

const MAX_PENDING_PER_APP = 10

/** Completed request ids that are remembered, so that a repeated upload is not stored as the user's own photo. */
const MAX_COMPLETED_IDS = 100

/**
 * Forwards photo requests of apps to the glasses and keeps them until the photo is uploaded or the request fails. The
 * app is notified of a failure immediately (decision M5).
 */
export class Photos implements SessionPart {
  static readonly appHandlers: AppHandlers<Photos> = {
    photo_request: (part, message, from) => part.#request(message, from),
  }
  static readonly glassesHandlers: GlassesHandlers<Photos> = {
    photo_response: (part, message) => part.respond(message),
  }

  static readonly commands = {
    /** Claims the photo request that an uploaded photo responds to; each request can be claimed once. */
    claimPhoto: command(
      [Type.String(), optional(Type.String())],
      photoClaimOutcome,
      (photos: Photos, requestId, packageName) => photos.claim(requestId, packageName),
    ),
    /** Reports to the requesting app that its photo was received but rejected. */
    rejectPhoto: command(
      [Type.String(), optional(Type.String()), Type.String()],
      Type.Void(),
      (photos: Photos, requestId, packageName, reason) => photos.reject(requestId, packageName, reason),
    ),
    /** Sends the result of a claimed photo request on the socket of the app. */
    answerPhoto: command([Type.String(), photoAnswer], Type.Void(), (photos: Photos, packageName, answer) =>
      photos.answer(packageName, answer),
    ),
    /** Forwards the phone's result of a photo request. */
    photoResponse: command([photoResponseBody], Type.Void(), (photos: Photos, response) =>
      photos.respond(response),
    ),
  }

  readonly #context: SessionContext
  readonly #pending: PendingRequests<PhotoDetails>
  readonly #completedIds = new LazySet<string>()

  constructor(context: SessionContext) {
    this.#context = context
    this.#pending = new PendingRequests(context.clock, {
      timeoutMs: context.timing.photoTimeoutMs,
      maxPerOwner: MAX_PENDING_PER_APP,
      onDrop: (request) => this.#timedOut(request),
      send: context.sendToGlasses,
    })
  }

  /**
   * Completes the request that an uploaded photo belongs to (PHO-7).
   * @param packageName the app, if the upload proves whose request it completes
   */
  claim(requestId: string, packageName?: string): PhotoClaimOutcome {
    const request = this.#pending.find(requestId, packageName)
    if (request && !request.details.isDirect) {
      this.#complete(request)
      const { owner, details } = request
      const { saveToGallery, authToken } = details
      const route = this.#context.apps.get(owner)?.photoRoute ?? 'upload'
      return { kind: 'requested', packageName: owner, requestId, saveToGallery, route, authToken }
    }
    const isKnown = request !== undefined || this.#completedIds.has(requestId) || packageName !== undefined
    return { kind: isKnown ? 'completed' : 'unrequested' }
  }

  /** Fails the request whose upload was rejected or could not be stored. */
  reject(requestId: string, packageName: string | undefined, errorMessage: string): void {
    this.#fail(
      this.#pending.find(requestId, packageName),
      photoFailure('upload', 'UPLOAD_FAILED', errorMessage),
    )
  }

  /** Handles the phone's report on a request, from its socket or over REST. Ignored if no such request is pending. */
  respond({ requestId, success, error, errorCode, errorMessage }: PhotoResponse): void {
    const request = this.#pending.find(requestId)
    if (!success) {
      const details: Exclude<typeof error, string> = typeof error === 'string' ? { message: error } : error
      return this.#fail(
        request,
        photoFailure(
          'glasses',
          details?.code || errorCode || 'UNKNOWN_ERROR',
          details?.message || errorMessage || 'The glasses reported a failure without a reason',
        ),
      )
    }
    // A photo that is uploaded to the cloud completes its request by the upload.
    if (request?.details.isDirect) this.#complete(request)
  }

  /** Sends the result of a claimed request to an app whose route is `socket`. Ignored if the app is not running. */
  answer(packageName: string, { requestId, success, photoUrl, savedToGallery, error }: PhotoAnswer): void {
    const session = this.#context.apps.get(packageName)
    session?.sendOrQueue({
      type: 'photo_response',
      requestId,
      success,
      ...(photoUrl === undefined ? {} : { photoUrl }),
      ...(savedToGallery === undefined ? {} : { savedToGallery }),
      ...(error === undefined ? {} : { error }),
      sessionId: session.sessionId,
      timestamp: this.#context.timestamp(),
    })
  }

  /** Fails the pending requests of an app that lost the permission `CAMERA` (PRM-20). */
  onAppUpdated({ packageName, definition }: AppSession): void {
    if (grants(definition?.permissions ?? [], 'CAMERA')) return
    for (const { requestId } of this.#pending.cancel(packageName)) {
      this.#rememberCompleted(requestId)
      this.#notifyFailure(packageName, requestId, NOT_PERMITTED)
    }
  }

  onGlassesConnected(): void {
    this.#pending.resend()
  }

  onAppReset(packageName: string): void {
    for (const { requestId } of this.#pending.cancel(packageName)) this.#rememberCompleted(requestId)
  }

  onSessionEnded(): void {
    this.#pending.clear()
  }

  #request(message: PhotoRequest, session: AppSession): void {
    const { packageName } = session
    const { requestId = this.#context.createId(), saveToGallery = false, customWebhookUrl } = message
    if (this.#pending.find(requestId, packageName)) return
    const failure = this.#rejection(message, session)
    if (failure) return this.#notifyFailure(packageName, requestId, failure)

    const { ports, userSessionId, timestamp } = this.#context
    const authToken = message.authToken || undefined
    const isDirect = Boolean(customWebhookUrl)
    const appTarget = { webhookUrl: customWebhookUrl ?? '', ...(authToken ? { authToken } : {}) }
    this.#pending.add(packageName, requestId, { saveToGallery, authToken, isDirect }, () => ({
      type: 'photo_request',
      sessionId: userSessionId,
      requestId,
      appId: packageName,
      packageName,
      ...(isDirect ? appTarget : ports.createPhotoTarget(packageName, requestId)),
      saveToGallery,
      size: message.size || 'medium',
      compress: message.compress || 'none',
      ...captureOptions(message),
      timestamp: timestamp(),
    }))
  }

  /** Why the request is not sent to the glasses; undefined if it is. */
  #rejection(
    { customWebhookUrl }: PhotoRequest,
    { definition, packageName }: AppSession,
  ): PhotoFailure | undefined {
    const { device, isGlassesSocketOpen } = this.#context
    if (!grants(definition?.permissions ?? [], 'CAMERA')) return NOT_PERMITTED
    if (customWebhookUrl && !/^https?:$/.test(URL.parse(customWebhookUrl)?.protocol ?? ''))
      return photoFailure('request', 'UPLOAD_FAILED', 'customWebhookUrl must be an http or https URL')
    if (!isGlassesSocketOpen())
      return photoFailure('glasses', 'PHONE_GLASSES_NOT_CONNECTED', 'The phone is not connected to the cloud')
    if (device.isDisconnected)
      return photoFailure(
        'glasses',
        'PHONE_GLASSES_NOT_CONNECTED',
        'The glasses are not connected to the phone',
      )
    if (device.capabilities?.hasCamera === false)
      return photoFailure('camera', 'CAMERA_INIT_FAILED', `The glasses have no camera (${device.modelName})`)
    if (this.#pending.isFull(packageName))
      return photoFailure(
        'camera',
        'CAMERA_BUSY',
        `The app has ${MAX_PENDING_PER_APP} pending photo requests already`,
      )
    return undefined
  }

  #timedOut(request: PendingPhoto): void {
    // A photo that is uploaded to the app directly may well have arrived.
    if (request.details.isDirect) this.#rememberCompleted(request.requestId)
    else
      this.#fail(
        request,
        photoFailure('deadline', 'PHONE_TIMEOUT', 'The glasses did not upload a photo in time'),
      )
  }

  #fail(request: PendingPhoto | undefined, failure: PhotoFailure): void {
    if (!request) return
    this.#complete(request)
    this.#notifyFailure(request.owner, request.requestId, failure)
  }

  #notifyFailure(packageName: string, requestId: string, failure: PhotoFailure): void {
    const { apps, log, ports } = this.#context
    log('photo_failed', { packageName, hop: failure.hop })
    if (apps.get(packageName)?.photoRoute === 'socket') {
      const error = { code: failure.errorCode, message: failure.errorMessage }
      return this.answer(packageName, { requestId, success: false, error })
    }
    ports.reportPhotoError(packageName, {
      requestId,
      type: 'photo_error',
      success: false,
      ...failure,
    })
  }

  #complete({ id, requestId }: PendingPhoto): void {
    this.#pending.complete(id)
    this.#rememberCompleted(requestId)
  }

  #rememberCompleted(requestId: string): void {
    this.#completedIds.add(requestId)
    const [oldest] = this.#completedIds
    if (this.#completedIds.size > MAX_COMPLETED_IDS && oldest !== undefined) this.#completedIds.delete(oldest)
  }
}

const NOT_PERMITTED: PhotoFailure = {
  hop: 'permission',
  errorCode: 'PERMISSION_DENIED',
  errorMessage: 'The app does not declare the permission CAMERA',
}

function photoFailure(hop: PhotoHop, errorCode: string, errorMessage: string): PhotoFailure {
  return { hop, errorCode, errorMessage }
}

/** The capture options that the app set; older phones ignore them. */
function captureOptions({ flash, sound, exposureTimeNs, mode }: PhotoRequest) {
  return {
    ...(typeof flash === 'boolean' ? { flash } : {}),
    ...(typeof sound === 'boolean' ? { sound } : {}),
    ...(typeof exposureTimeNs === 'number' ? { exposureTimeNs } : {}),
    ...(mode ? { mode } : {}),
  }
}
