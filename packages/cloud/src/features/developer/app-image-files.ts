import { randomBytes } from 'node:crypto'
import { APP_IMAGE_LIMITS } from '@glasses-cloud/contract'
import type { FastifyBaseLogger } from 'fastify'
import { imageSize } from 'image-size'
import { type BlobStore, oneChunk } from '../../blobs/index.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import type { App, AppImages, AppStore } from '../catalogue/index.ts'

/** Path under which images are served. */
export const IMAGE_PATH = '/api/app-images/'

/** Names of stored images; unguessable, because images of unpublished apps are served too. */
export const IMAGE_NAME_PATTERN = '^[0-9a-f]{32}\\.(png|jpg|webp)$'

const FOLDER = 'app-images/'

/** Hexadecimal digits of the time in a name, sufficient until the year 10889. */
const TIME_DIGITS = 12

/** Minimum age of files without an app before deletion. Younger ones may belong to an upload in progress. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

/** File extensions by the type that the header of an image shows. */
const EXTENSIONS: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpg', webp: 'webp' }

/** Content types by file extension. */
export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}

/** What an image is for. */
export type ImageKind = 'logo' | 'screenshot'

/** Why an image was rejected. */
export type ImageRejection = 'IMAGE_INVALID' | 'IMAGE_TOO_LARGE' | 'IMAGE_DIMENSIONS'

export interface AppImageFilesDeps {
  readonly apps: AppStore
  readonly blobs: BlobStore
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** The uploaded images of apps: paths in the app's row, and a blob each. Blobs are written first and deleted last. */
export class AppImageFiles {
  readonly #deps: AppImageFilesDeps

  constructor(deps: AppImageFilesDeps) {
    this.#deps = deps
  }

  /** Replaces the logo of an app. @returns false if the app no longer exists */
  async setLogo(app: App, image: Buffer, extension: string, log: FastifyBaseLogger): Promise<boolean> {
    return this.#add(app, image, extension, log, (path, images) => ({ ...images, logo: path }))
  }

  /** Replaces the logo of an app by a URL; empty for none. */
  async setLogoUrl(app: App, url: string, log: FastifyBaseLogger): Promise<void> {
    // Clients send the URL of an uploaded logo back.
    const own = `${this.#baseUrl()}${IMAGE_PATH}`
    if (url.startsWith(own)) return
    await this.#change(app, log, (images) => ({ ...images, logo: url }))
  }

  /** Adds a screenshot. @returns false if the app has the maximum, or no longer exists */
  async addScreenshot(app: App, image: Buffer, extension: string, log: FastifyBaseLogger): Promise<boolean> {
    return this.#add(app, image, extension, log, (path, images) =>
      images.screenshots.length >= APP_IMAGE_LIMITS.screenshots
        ? undefined
        : { ...images, screenshots: [...images.screenshots, path] },
    )
  }

  /** @returns false if the app has no such screenshot */
  async deleteScreenshot(app: App, name: string, log: FastifyBaseLogger): Promise<boolean> {
    const path = IMAGE_PATH + name
    return this.#change(app, log, (images) =>
      images.screenshots.includes(path)
        ? { ...images, screenshots: images.screenshots.filter((other) => other !== path) }
        : undefined,
    )
  }

  /** Deletes the images of a deleted app. */
  async deleteAll(app: App, log: FastifyBaseLogger): Promise<void> {
    const base = this.#baseUrl()
    await this.#deleteBlobs(
      [app.logoUrl, ...app.screenshots].map((url) => (url.startsWith(base) ? url.slice(base.length) : url)),
      log,
    )
  }

  /**
   * Deletes files that no app refers to: of uploads whose process died, and those that could not be deleted.
   * @throws the reason of the signal once it aborts
   */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { apps, blobs, now } = this.#deps
    const createdBefore = now() - ORPHAN_AGE_MS
    // An image of this age is no longer added to an app.
    const used = await apps.imagesBelow(IMAGE_PATH)
    for await (const { key } of blobs.list(FOLDER)) {
      signal?.throwIfAborted()
      const name = key.slice(FOLDER.length)
      if (imageTime(name) < createdBefore && !used.has(IMAGE_PATH + name)) await blobs.delete(key)
    }
  }

  /** Opens an image by its name. */
  open(name: string) {
    return this.#deps.blobs.get(FOLDER + name)
  }

  async #add(
    app: App,
    image: Buffer,
    extension: string,
    log: FastifyBaseLogger,
    change: (path: string, images: AppImages) => AppImages | undefined,
  ): Promise<boolean> {
    const name = newImageName(this.#deps.now(), extension)
    const path = IMAGE_PATH + name
    await this.#deps.blobs.put(FOLDER + name, oneChunk(image))
    const changed = await this.#change(app, log, (images) => change(path, images)).catch(async (error) => {
      await this.#deleteBlobs([path], log)
      throw error
    })
    if (!changed) await this.#deleteBlobs([path], log)
    return changed
  }

  /** Changes the images of an app and deletes the files that it no longer refers to. */
  async #change(
    app: App,
    log: FastifyBaseLogger,
    change: (images: AppImages) => AppImages | undefined,
  ): Promise<boolean> {
    let before: AppImages | undefined
    const after = await this.#deps.apps.changeImages(
      app.id,
      (images) => {
        before = images
        return change(images)
      },
      this.#deps.now(),
    )
    if (before === undefined || after === undefined) return false
    const kept = [after.logo, ...after.screenshots]
    await this.#deleteBlobs(
      [before.logo, ...before.screenshots].filter((path) => !kept.includes(path)),
      log,
    )
    return true
  }

  async #deleteBlobs(paths: readonly string[], log: FastifyBaseLogger): Promise<void> {
    for (const path of paths) {
      if (!path.startsWith(IMAGE_PATH)) continue
      await this.#deps.blobs.delete(FOLDER + path.slice(IMAGE_PATH.length)).catch((err: unknown) => {
        log.error({ err, path }, 'developer: the file of an image could not be deleted')
      })
    }
  }

  #baseUrl(): string {
    return baseUrlOf(this.#deps.publicUrl())
  }
}

/** Checks an image by its header. @returns the file extension, or why the image is rejected */
export function checkImage(
  image: Buffer,
  kind: ImageKind,
): { readonly extension: string } | { readonly rejection: ImageRejection } {
  const { bytes, minPixels, maxPixels } = APP_IMAGE_LIMITS[kind]
  if (image.length > bytes) return { rejection: 'IMAGE_TOO_LARGE' }
  try {
    const { width, height, type = '' } = imageSize(image)
    const extension = EXTENSIONS[type]
    if (extension === undefined) return { rejection: 'IMAGE_INVALID' }
    const isInRange = [width, height].every((pixels) => pixels >= minPixels && pixels <= maxPixels)
    return isInRange ? { extension } : { rejection: 'IMAGE_DIMENSIONS' }
  } catch {
    return { rejection: 'IMAGE_INVALID' }
  }
}

/** Creates an unguessable name that contains the time. */
function newImageName(now: number, extension: string): string {
  return `${now.toString(16).padStart(TIME_DIGITS, '0')}${randomBytes(10).toString('hex')}.${extension}`
}

/** Returns the time in a name, in epoch ms. */
const imageTime = (name: string) => Number.parseInt(name.slice(0, TIME_DIGITS), 16)
