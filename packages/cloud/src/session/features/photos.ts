import {
  type AppToCloud,
  grants,
  type PhotoError,
  type PhotoHop,
  type PhotoResponse,
} from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { Timer } from '../clock.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'

type Wanted = Extract<AppToCloud, { type: 'photo_request' }>

/** A photo request that an upload answers: what to do with the photo. */
export interface PhotoClaim {
  readonly kind: 'wanted'
  readonly packageName: string
  readonly requestId: string
  readonly saveToGallery: boolean
  /** What the app wants to be shown with the photo. A secret. */
  readonly authToken: string | undefined
}

/** What the session knows of the request an upload names. */
export type PhotoClaimOutcome =
  | PhotoClaim
  /** There was such a request: it was answered, given up, or dropped with its app. */
  | { readonly kind: 'over' }
  /** Nobody asked: the wearer took it. */
  | { readonly kind: 'unasked' }

/** Why a photo will not come. */
export type PhotoFailure = Pick<PhotoError, 'hop' | 'errorCode' | 'errorMessage'>

interface Pending {
  readonly claim: PhotoClaim
  /** The photo goes from the glasses to the app's own address; only a failure is heard of. */
  readonly direct: boolean
  readonly deadline: Timer
}

/** Requests an app may have open at a time; glasses take one photo after another. */
const MAX_PENDING = 10

/** Requests remembered after their end, so that a second upload of the same photo is not taken for the wearer's. */
const MAX_OVER = 100

/**
 * Takes photo requests of apps to the glasses, and remembers them until the photo comes, or a reason why it will
 * not, which the app is told at once (decision M5).
 */
export class Photos implements SessionFeature {
  readonly #context: SessionContext
  /** In the order of asking. */
  #pending: Pending[] = []
  readonly #over = new Set<string>()
  static readonly appHandlers: AppHandlers<Photos> = {
    photo_request: (feature, message, from) => feature.#request(message, from),
  }
  static readonly glassesHandlers: GlassesHandlers<Photos> = {
    photo_response: (feature, message) => feature.respond(message),
  }

  constructor(context: SessionContext) {
    this.#context = context
  }

  /**
   * A photo came. Whoever claims a request gets it, once.
   * @param packageName the app, where the upload proves whose request it answers
   */
  claim(requestId: string, packageName?: string): PhotoClaimOutcome {
    const pending = this.#find(requestId, packageName)
    if (pending && !pending.direct) {
      this.#settle(pending)
      return pending.claim
    }
    return { kind: pending || this.#over.has(requestId) || packageName !== undefined ? 'over' : 'unasked' }
  }

  /** A photo came and was refused, or could not be stored. */
  reject(requestId: string, packageName: string | undefined, errorMessage: string): void {
    this.#fail(this.#find(requestId, packageName), {
      hop: 'upload',
      errorCode: 'UPLOAD_FAILED',
      errorMessage,
    })
  }

  /** The phone says how a request ended, on its socket or by REST. An unknown one is nobody's. */
  respond({ requestId, success, error, errorCode, errorMessage }: PhotoResponse): void {
    const pending = this.#find(requestId)
    if (success) {
      // Of a photo that comes through the cloud the upload is the proof.
      if (pending?.direct) this.#settle(pending)
      return
    }
    this.#fail(pending, {
      hop: 'glasses',
      errorCode: error?.code || errorCode || 'UNKNOWN_ERROR',
      errorMessage: error?.message || errorMessage || 'The glasses did not say why the photo failed',
    })
  }

  /** An app that stopped, or began anew, waits for nothing any more. */
  onAppReset(packageName: string): void {
    for (const pending of this.#pending.filter(({ claim }) => claim.packageName === packageName))
      this.#settle(pending)
  }

  onSessionEnded(): void {
    this.#pending = []
  }

  #request(message: Wanted, session: AppSession): void {
    const { packageName } = session
    const { requestId, saveToGallery = false, customWebhookUrl, authToken } = message
    // Asked again, it is still the same photo.
    if (this.#find(requestId, packageName)) return
    const refusal = this.#rejection(message, session)
    if (refusal) return this.#tell(packageName, requestId, refusal)

    const { clock, timing, ports, sendToGlasses, userSessionId, timestamp } = this.#context
    const claim: PhotoClaim = {
      kind: 'wanted',
      packageName,
      requestId,
      saveToGallery,
      authToken: authToken || undefined,
    }
    const direct = Boolean(customWebhookUrl)
    const pending: Pending = {
      claim,
      direct,
      deadline: clock.after(timing.photoTimeoutMs, () => this.#expire(pending)),
    }
    this.#pending.push(pending)
    const own = {
      webhookUrl: customWebhookUrl ?? '',
      ...(claim.authToken ? { authToken: claim.authToken } : {}),
    }
    sendToGlasses({
      type: 'photo_request',
      sessionId: userSessionId,
      requestId,
      appId: packageName,
      packageName,
      ...(direct ? own : ports.createPhotoTarget(packageName, requestId)),
      saveToGallery,
      size: message.size || 'medium',
      compress: message.compress || 'none',
      ...captureOptions(message),
      timestamp: timestamp(),
    })
  }

  /** Why the glasses are not even asked. */
  #rejection({ customWebhookUrl }: Wanted, { app, packageName }: AppSession): PhotoFailure | undefined {
    const { device, isGlassesSocketOpen } = this.#context
    if (!grants(app?.permissions ?? [], 'CAMERA'))
      return failure('permission', 'PERMISSION_DENIED', 'The app does not declare the permission CAMERA')
    if (customWebhookUrl && !/^https?:$/.test(URL.parse(customWebhookUrl)?.protocol ?? ''))
      return failure('request', 'UPLOAD_FAILED', 'customWebhookUrl is no address of a web server')
    if (!isGlassesSocketOpen())
      return failure('glasses', 'PHONE_GLASSES_NOT_CONNECTED', 'The phone is not connected to the cloud')
    if (device.isDisconnected)
      return failure('glasses', 'PHONE_GLASSES_NOT_CONNECTED', 'The glasses are not connected to the phone')
    if (device.capabilities?.hasCamera === false)
      return failure('camera', 'CAMERA_INIT_FAILED', `The glasses have no camera (${device.modelName})`)
    if (this.#pending.filter(({ claim }) => claim.packageName === packageName).length >= MAX_PENDING)
      return failure('camera', 'CAMERA_BUSY', `The app waits for ${MAX_PENDING} photos already`)
    return undefined
  }

  #expire(pending: Pending): void {
    // A photo that goes its own way may well have arrived.
    if (pending.direct) return this.#settle(pending)
    this.#fail(pending, failure('deadline', 'PHONE_TIMEOUT', 'No photo came from the glasses in time'))
  }

  #fail(pending: Pending | undefined, reason: PhotoFailure): void {
    if (!pending) return
    this.#settle(pending)
    this.#tell(pending.claim.packageName, pending.claim.requestId, reason)
  }

  #tell(packageName: string, requestId: string, reason: PhotoFailure): void {
    this.#context.log('photo_failed', { packageName, hop: reason.hop })
    this.#context.ports.reportPhotoError(packageName, {
      requestId,
      type: 'photo_error',
      success: false,
      ...reason,
    })
  }

  #settle(pending: Pending): void {
    pending.deadline.cancel()
    this.#pending.splice(this.#pending.indexOf(pending), 1)
    this.#over.add(pending.claim.requestId)
    const [oldest] = this.#over
    if (this.#over.size > MAX_OVER && oldest !== undefined) this.#over.delete(oldest)
  }

  /** Glasses repeat the id alone; should two apps have chosen the same one, the first to ask is meant. */
  #find(requestId: string, packageName?: string): Pending | undefined {
    return this.#pending.find(
      ({ claim }) =>
        claim.requestId === requestId && (packageName === undefined || claim.packageName === packageName),
    )
  }
}

function failure(hop: PhotoHop, errorCode: string, errorMessage: string): PhotoFailure {
  return { hop, errorCode, errorMessage }
}

/** What the app says of how the photo is to be taken; older phones, and most apps, know nothing of it. */
function captureOptions({ flash, sound, exposureTimeNs, mode }: Wanted) {
  return {
    ...(typeof flash === 'boolean' ? { flash } : {}),
    ...(typeof sound === 'boolean' ? { sound } : {}),
    ...(typeof exposureTimeNs === 'number' ? { exposureTimeNs } : {}),
    ...(mode ? { mode } : {}),
  }
}
