import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { type Bundle, packBundle } from './bundle.ts'

/** Requests a minute from one address; an installation takes three. */
const REQUESTS_PER_MINUTE = 120

const shared = {
  method: 'GET',
  tags: ['operation'],
  style: 'coded',
  auth: none,
  errors: ['NOT_FOUND'],
  limits: { perMinute: () => REQUESTS_PER_MINUTE },
} as const

export interface BridgeEndpointDeps {
  /** The mini app of this cloud; undefined if the console has not been built. */
  readonly bundle: () => Promise<Bundle | undefined>
  readonly icon: () => Promise<Uint8Array | undefined>
}

/** What the phone app of Mentra fetches to install the mini app, at the names that it expects below an address. */
const bridgeEndpoints = ({ bundle, icon }: BridgeEndpointDeps) => [
  endpoint({
    ...shared,
    url: '/glasses/bridge/miniapp.json',
    summary: 'Manifest of the mini app for the Mentra app',
    schema: { response: { 200: manifest } },
    handler: async ({ reply }) => {
      const bundled = found(await bundle())
      return reply.headers(headers('application/json; charset=utf-8')).send(bundled.manifest)
    },
  }),
  endpoint({
    ...shared,
    url: '/glasses/bridge/icon.png',
    summary: 'Icon of the mini app for the Mentra app',
    schema: { response: { 200: binary } },
    media: { contentTypes: ['image/png'] },
    handler: async ({ reply }) => reply.headers(headers('image/png')).send(found(await icon())),
  }),
  endpoint({
    ...shared,
    url: '/glasses/bridge/bundle.zip',
    summary: 'The mini app for the Mentra app',
    schema: { response: { 200: binary } },
    media: { contentTypes: ['application/zip'] },
    handler: async ({ reply }) => {
      const { archive, sha256 } = found(await bundle())
      return reply.headers({ ...headers('application/zip'), etag: `"${sha256}"` }).send(archive)
    },
  }),
  endpoint({
    ...shared,
    url: '/glasses/bridge/bundle.zip.sha256',
    summary: 'SHA-256 of the mini app for the Mentra app, as `sha256sum` writes it',
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/plain'] },
    handler: async ({ reply }) => {
      const { sha256 } = found(await bundle())
      return reply.headers(headers('text/plain; charset=utf-8')).send(`${sha256}  bundle.zip\n`)
    },
  }),
]

/** What the page with the code reads of it. */
const manifest = Type.Object(
  { packageName: Type.String(), version: Type.String(), name: Type.String() },
  { additionalProperties: true },
)

const binary = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** An update of the cloud changes the files. */
const headers = (contentType: string) => ({ 'content-type': contentType, 'cache-control': 'no-cache' })

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw fault('NOT_FOUND')
  return value
}

/** Where the build of the console has the script and the icon. */
const BUILD = new URL('.', import.meta.resolve('@glasses-cloud/console/dist/mini-app.js'))

interface BridgeDeps {
  /** The address of this cloud, which the mini app contains. */
  readonly publicUrl: () => URL
  /** Folder of the build. */
  readonly build?: URL
}

/**
 * Serves the phone of this cloud as a mini app (`packages/phone/src/mini-app`) that the phone app of Mentra installs.
 */
export function createBridge({ publicUrl, build = BUILD }: BridgeDeps): Feature {
  let packed: Promise<Bundle | undefined> | undefined
  const read = (name: string) => readBuilt(new URL(name, build))
  const pack = async () => {
    const [script, icon] = await Promise.all([read('mini-app.js'), read('icon-192.png')])
    return script && icon && packBundle(publicUrl().href.replace(/\/+$/, ''), script.toString(), icon)
  }
  const bundle = async () => {
    packed ??= pack()
    const bundled = await packed.catch((error: unknown) => {
      packed = undefined
      throw error
    })
    // The console may be built while the cloud runs.
    if (!bundled) packed = undefined
    return bundled
  }
  return { name: 'bridge', endpoints: bridgeEndpoints({ bundle, icon: () => read('icon-192.png') }) }
}

async function readBuilt(file: URL): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
