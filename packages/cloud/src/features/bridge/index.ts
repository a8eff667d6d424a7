import { readFile } from 'node:fs/promises'
import type { Feature } from '../../feature.ts'
import { type Bundle, packBundle } from './bundle.ts'
import { bridgeEndpoints } from './endpoints.ts'

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
